/** An example of a custom blob store. */

import { createHash } from "node:crypto";
import type { Digest } from "@plimsoll/core/digest";
import {
  type AppendOptions,
  type BlobStore,
  BlobStoreError,
  type ByteRange,
  type RegistryTables,
  registryMigrations,
} from "@plimsoll/registry";
import { createRegistry } from "@plimsoll/registry-api";
import { openStore } from "@plimsoll/store";
import fastify from "fastify";

class MemoryBlobs implements BlobStore {
  readonly #blobs = new Map<Digest, Uint8Array>();
  readonly #uploads = new Map<string, Uint8Array>();

  async find(digest: Digest): Promise<number | undefined> {
    return this.#blobs.get(digest)?.length;
  }

  async *read(digest: Digest, range?: ByteRange): AsyncIterable<Uint8Array> {
    const bytes = this.#blobs.get(digest);
    if (bytes === undefined) throw new BlobStoreError("not_found", `there is no ${digest}`);
    yield range === undefined ? bytes : bytes.subarray(range.first, range.last + 1);
  }

  async findAddress(): Promise<string | undefined> {
    return undefined;
  }

  async delete(digest: Digest): Promise<void> {
    this.#blobs.delete(digest);
  }

  async countReceived(uploadId: string): Promise<number> {
    return this.#uploads.get(uploadId)?.length ?? 0;
  }

  async append(id: string, source: AsyncIterable<Uint8Array>, options: AppendOptions): Promise<number> {
    let bytes = this.#uploads.get(id) ?? new Uint8Array();
    if (bytes.length !== options.offset) throw new BlobStoreError("wrong_offset", `there are ${bytes.length} bytes`);
    for await (const chunk of source) {
      if (bytes.length + chunk.length > options.maxBytes) throw new BlobStoreError("too_large", "too many bytes");
      bytes = new Uint8Array(Buffer.concat([bytes, chunk]));
      this.#uploads.set(id, bytes);
      options.onWritten?.(chunk);
    }
    return bytes.length;
  }

  async commit(uploadId: string, digest: Digest): Promise<number> {
    const bytes = this.#uploads.get(uploadId) ?? new Uint8Array();
    const found = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    if (found !== digest) throw new BlobStoreError("wrong_digest", `the bytes have ${found}`);
    this.#blobs.set(digest, bytes);
    return bytes.length;
  }

  async deleteUpload(uploadId: string): Promise<void> {
    this.#uploads.delete(uploadId);
  }

  async *listUploads(): AsyncIterable<string> {
    yield* this.#uploads.keys();
  }

  async findMissingFolder(): Promise<undefined> {}

  async removeRemains(): Promise<void> {}
}

const blobs = new MemoryBlobs();
const error: unknown = await blobs
  .append("upload", (async function* () {})(), { offset: 1, maxBytes: 1 })
  .catch((thrown: unknown) => thrown);
if (!(error instanceof BlobStoreError) || error.code !== "wrong_offset") throw new Error("expected wrong_offset");

/** Pushes a blob to a registry with this blob store, and pulls it again. */
async function pushAndPull(): Promise<string> {
  const app = fastify();
  await using store = await openStore<RegistryTables>(":memory:", { migrations: [registryMigrations] });
  createRegistry({ store, blobs, key: new Uint8Array(32).fill(1) }).register(app);
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const [username, password] = ["admin", "change-me-soon"];
  const body = JSON.stringify({ username, password, email: "admin@example.com" });
  const account = await fetch(`${url}/api/v1/user/initialize`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  if (account.status !== 200) throw new Error(`initialize: ${account.status} ${await account.text()}`);
  const basic = { authorization: `Basic ${btoa(`${username}:${password}`)}` };
  const asked = `${url}/v2/auth?service=${new URL(url).host}&scope=repository:admin/app:pull,push`;
  const { token } = (await (await fetch(asked, { headers: basic })).json()) as { token: string };
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/octet-stream" };
  const bytes = new TextEncoder().encode("a blob");
  const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  const path = `${url}/v2/admin/app/blobs`;
  const pushed = await fetch(`${path}/uploads/?digest=${digest}`, { method: "POST", headers, body: bytes });
  if (pushed.status !== 201) throw new Error(`push: ${pushed.status} ${await pushed.text()}`);
  const pulled = await (await fetch(`${path}/${digest}`, { headers })).text();
  await app.close();
  return pulled;
}

if ((await pushAndPull()) !== "a blob") throw new Error("the pulled blob differs");
console.log("a blob was pushed and pulled");
