/** A registry, an indexer, and both with scan-on-push, each in a custom application. */
import { registerApi } from "@plimsoll/http";
import { createIndexService, type IndexerTables, indexerMigrations } from "@plimsoll/indexer";
import { indexerApi } from "@plimsoll/indexer/http";
import { type MatcherTables, matcherMigrations, matchManifest } from "@plimsoll/matcher";
import { type RegistryTables, registryMigrations } from "@plimsoll/registry";
import { createFileBlobStore, readSecretKey } from "@plimsoll/registry-adapters/files";
import { createRegistry } from "@plimsoll/registry-api";
import { openPlimsoll } from "@plimsoll/server/embed";
import { openStore } from "@plimsoll/store";
import fastify, { type FastifyInstance } from "fastify";

await registry();
await indexer();
await both();

async function registry(): Promise<void> {
  const app = fastify();
  await using store = await openStore<RegistryTables>("registry.db", { migrations: [registryMigrations] });
  const registry = createRegistry({ store, blobs: createFileBlobStore("blobs"), key: await readSecretKey("key") });
  registry.register(app);
  await using _jobs = await registry.runJobs();
  await say(app, "/v2/");
}

/** One store has the tables of several services. */
async function indexer(): Promise<void> {
  const app = fastify();
  const migrations = [indexerMigrations, matcherMigrations];
  await using store = await openStore<IndexerTables & MatcherTables>("index.db", { migrations });
  await using service = createIndexService({ store });
  app.register(async (scope) => registerApi(scope, indexerApi(service)));
  await say(app, "/indexer/api/v1/index_state");
  console.log(typeof matchManifest);
}

async function both(): Promise<void> {
  const app = fastify();
  await using plimsoll = await openPlimsoll({ data: "data", settings: { offline: true } });
  plimsoll.register(app);
  await say(app, "/api/v1/discovery");
}

async function say(app: FastifyInstance, path: string): Promise<void> {
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const { status } = await fetch(url + path);
  if (status >= 500 || status === 404) throw new Error(`${path}: ${status}`);
  console.log(path, status);
  await app.close();
}
