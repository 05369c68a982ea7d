import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import type { RegistryTables } from "@plimsoll/registry";
import { createFileBlobStore } from "@plimsoll/registry-adapters/files";
import { createRegistry } from "@plimsoll/registry-api";
import type { Store } from "@plimsoll/store";
import type { TestDatabase } from "@plimsoll/testing";
import fastify from "fastify";

/** Where the older databases are, with their blobs and what they answered. */
export const olderFixtures = join(import.meta.dirname, "..", "fixtures", "older-database");

/** Rows by table; a row is its values by column. */
export type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

const restore = {
  async sqlite({ location }: TestDatabase): Promise<Rows> {
    const path = location.replace(/^sqlite:/, "");
    await writeFile(path, gunzipSync(await readFile(join(olderFixtures, "sqlite", "database.db.gz"))));
    using db = new DatabaseSync(path);
    const tables = db.prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'").all();
    return Object.fromEntries(
      tables.map(({ name }) => [String(name), db.prepare(`select * from "${name}"`).all() as Rows[string]]),
    );
  },
  async postgres({ location }: TestDatabase): Promise<Rows> {
    const { default: pg } = await import("pg");
    const client = new pg.Client({ connectionString: location });
    await client.connect();
    try {
      await client.query(gunzipSync(await readFile(join(olderFixtures, "postgres", "database.sql.gz"))).toString());
      await client.query("set search_path to public");
      const { rows: tables } = await client.query<{ readonly name: string }>(
        "select table_name as name from information_schema.tables where table_schema = 'public'",
      );
      const found: Record<string, Rows[string]> = {};
      for (const { name } of tables) found[name] = (await client.query(`select * from "${name}"`)).rows;
      return found;
    } finally {
      await client.end();
    }
  },
};

/** Puts an older database where an engine has made an empty one. @returns what is in it */
export function restoreOlder(database: TestDatabase): Promise<Rows> {
  return restore[database.location.startsWith("postgres") ? "postgres" : "sqlite"](database);
}

/** What a registry answered, by the path that was asked for. */
export type Answers = Readonly<Record<string, { readonly status: number; readonly body: unknown }>>;

/** The registry of an older version, as `answers.json` describes it. */
export interface OlderRegistry {
  /** An OAuth token with every scope, of an admin who is a superuser as well. */
  readonly token: string;
  /** When it was asked, in epoch milliseconds. */
  readonly now: number;
  /** The digest of an image that was pushed. */
  readonly digest: string;
  /** What it was given an id for. */
  readonly ids: Readonly<Record<string, string>>;
  readonly answers: Answers;
}

/** Asks the registry of this version for what an older one has kept. @param blobs the folder of its blobs */
export async function askOlderRegistry(
  store: Store<RegistryTables>,
  blobs: string,
  { token, now, answers }: OlderRegistry,
): Promise<Answers> {
  const registry = createRegistry({
    store,
    blobs: createFileBlobStore(blobs),
    key: new Uint8Array(32).fill(7),
    settings: {
      superusers: ["root", "ada"],
      features: { proxyCache: true, autoPrune: true, builds: true, mirroring: true, repositoryNotifications: true },
    },
    ports: { clock: { now: () => now } },
  });
  const app = fastify();
  registry.register(app);
  const given: Record<string, Answers[string]> = {};
  for (const url of Object.keys(answers)) {
    const authorization = url.startsWith("/v2") ? `Basic ${btoa(`$oauthtoken:${token}`)}` : `Bearer ${token}`;
    const accept = "application/json, application/vnd.oci.image.manifest.v1+json";
    const headers = { authorization, host: "registry.example", accept };
    const { statusCode: status, payload } = await app.inject({ method: "GET", url, headers });
    given[url] = { status, body: /^[{[]/.test(payload) ? JSON.parse(payload) : payload };
  }
  await app.close();
  return given;
}
