/** A registry, an indexer, and both with a scanner, each in an application of your own that does something else as well. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { registerApi } from "@plimsoll/http";
import { buildJavaIndex, createIndexService, type IndexerTables, indexerMigrations } from "@plimsoll/indexer";
import { indexerApi } from "@plimsoll/indexer/http";
import { type RegistryTables, registryMigrations } from "@plimsoll/registry";
import { createFileBlobStore, readSecretKey } from "@plimsoll/registry-adapters/files";
import { createRegistry } from "@plimsoll/registry-api";
import { openPlimsoll } from "@plimsoll/server/embed";
import { openStore } from "@plimsoll/store";
import { type BuiltImage, buildImage, buildLayer, makeZip } from "@plimsoll/testing";
import fastify, { type FastifyInstance } from "fastify";
import { afterAll, describe, expect, it } from "vitest";
import { exchange } from "./support/exchange.ts";
import { debianImage } from "./support/sample-image.ts";
import { tempFolder } from "./support/temp-folder.ts";

const folder = tempFolder();
afterAll(() => folder[Symbol.dispose]());

/** An application that has a page of its own; closed when it is disposed of. */
function application(): FastifyInstance & AsyncDisposable {
  const app = fastify();
  app.get("/", async () => "mine");
  return Object.assign(app, { [Symbol.asyncDispose]: () => app.close() });
}

const listen = (app: FastifyInstance) => app.listen({ host: "127.0.0.1", port: 0 });

/** Makes the first account. @returns its token, and what it signs in to pushes with */
async function signUp(url: string): Promise<{ readonly token: string; readonly basic: string }> {
  const body = { username: "alice", password: "sesame-open", email: "alice@example.com", access_token: true };
  const { text } = await exchange(`${url}/api/v1/user/initialize`, { method: "POST", body });
  const { access_token: token }: { readonly access_token: string } = JSON.parse(text);
  return { token, basic: `Basic ${Buffer.from("alice:sesame-open").toString("base64")}` };
}

async function push(url: string, authorization: string, image: BuiltImage): Promise<void> {
  const repository = `${url}/v2/alice/app`;
  for (const { digest, bytes } of [image.config, ...image.layers]) {
    const place = `${repository}/blobs/uploads/?digest=${digest}`;
    const answer = await fetch(place, { method: "POST", headers: { authorization }, body: bytes });
    expect(answer.status).toBe(201);
  }
  const headers = { authorization, "content-type": image.mediaType };
  const answer = await fetch(`${repository}/manifests/1`, { method: "PUT", headers, body: image.bytes });
  expect(answer.status).toBe(201);
}

describe("an application of your own", () => {
  it("has a registry in it, which needs a database, a place for blobs and a key", async () => {
    const store = await openStore<RegistryTables>(join(folder.path, "registry.db"), {
      migrations: [registryMigrations],
    });
    await using _store = store;
    const key = await readSecretKey(join(folder.path, "registry.key"));
    await using app = application();
    const registry = createRegistry({ store, blobs: createFileBlobStore(join(folder.path, "blobs")), key });
    registry.register(app);
    await using _jobs = await registry.runJobs();
    const url = await listen(app);
    const { basic } = await signUp(url);
    const image = await debianImage(["zlib 1"]);

    await push(url, basic, image);
    const pulled = await exchange(`${url}/v2/alice/app/manifests/1`, { headers: { authorization: basic } });
    const challenge = await exchange(`${url}/v2/`);

    expect(pulled).toMatchObject({ status: 200, text: Buffer.from(image.bytes).toString() });
    expect(challenge.headers["www-authenticate"]).toContain(`realm="${url}/`);
    expect((await exchange(url)).text).toBe("mine");
  });

  it("has an indexer in it, which needs a database", async () => {
    const store = await openStore<IndexerTables>(join(folder.path, "index.db"), { migrations: [indexerMigrations] });
    await using _store = store;
    await using indexer = createIndexService({ store });
    await using app = application();
    app.register(async (scope) => registerApi(scope, indexerApi(indexer)));
    const url = await listen(app);
    const hash = `sha256:${"1".repeat(64)}`;

    const state = await exchange(`${url}/indexer/api/v1/index_state`);
    const inside = { hash, layers: [{ hash, uri: `${url}/layer`, headers: {} }] };
    const refused = await exchange(`${url}/indexer/api/v1/index_report`, { method: "POST", body: inside });

    expect(state.json).toEqual({ state: indexer.state() });
    expect(refused.status, refused.text).toBe(400);
    expect((await exchange(url)).text).toBe("mine");
  });

  it("has a registry in it that scans what is pushed, which needs a folder", async () => {
    await using plimsoll = await openPlimsoll({ data: join(folder.path, "data"), settings: { offline: true } });
    await using app = application();
    plimsoll.register(app);
    const url = await listen(app);
    const { token, basic } = await signUp(url);
    const image = await debianImage(["zlib 1"]);

    await push(url, basic, image);
    const path = `/api/v1/repository/alice/app/manifest/${image.digest}/security`;
    const { text } = await exchange(url + path, { headers: { authorization: `Bearer ${token}` } });

    expect(JSON.parse(text)).toMatchObject({ status: "scanned", data: { Layer: { Features: [{ Name: "zlib" }] } } });
    expect((await exchange(url)).text).toBe("mine");
  });

  it("identifies Java archives of pushed images by the index of its settings", async () => {
    const jar = makeZip({ "A.class": "lz4" });
    const published = join(folder.path, "repository/org/lz4/lz4-java/1.8.0");
    mkdirSync(published, { recursive: true });
    writeFileSync(join(published, "lz4-java-1.8.0.jar"), jar);
    const javaIndex = join(folder.path, "java-index.db");
    await buildJavaIndex({ folder: join(folder.path, "repository"), output: javaIndex });
    const settings = { offline: true, javaIndex };
    await using plimsoll = await openPlimsoll({ data: join(folder.path, "java"), settings });
    await using app = application();
    plimsoll.register(app);
    const url = await listen(app);
    const { token, basic } = await signUp(url);
    const image = await buildImage({ layers: [await buildLayer({ "app/renamed.jar": jar })] });

    await push(url, basic, image);
    const path = `/api/v1/repository/alice/app/manifest/${image.digest}/security`;
    const { text } = await exchange(url + path, { headers: { authorization: `Bearer ${token}` } });

    const features = [{ Name: "org.lz4:lz4-java", Version: "1.8.0" }];
    expect(JSON.parse(text)).toMatchObject({ status: "scanned", data: { Layer: { Features: features } } });
  });

  it("needs the mode registry, whose absence leaves nothing open", async () => {
    const opening = openPlimsoll({ data: join(folder.path, "none"), settings: { offline: true, mode: ["indexer"] } });

    await expect(opening).rejects.toThrow("mode: expected all or registry, found indexer");
  });
});
