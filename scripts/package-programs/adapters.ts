/** A blob store and a transport of one's own. */

import { createHash } from "node:crypto";
import type { Digest } from "@plimsoll/core";
import type { Delivery, Outcome, Transport } from "@plimsoll/notifier";
import {
  type AppendOptions,
  type BlobStore,
  BlobStoreError,
  type ByteRange,
  createRegistry,
} from "@plimsoll/registry-api";

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

  async append(id: string, offset: number, source: AsyncIterable<Uint8Array>, options: AppendOptions): Promise<number> {
    let bytes = this.#uploads.get(id) ?? new Uint8Array();
    if (bytes.length !== offset) throw new BlobStoreError("wrong_offset", `there are ${bytes.length} bytes`);
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
}

const told: string[] = [];
const transport: Transport = {
  name: "console",
  isDirect: false,
  async deliver(delivery: Delivery): Promise<Outcome> {
    told.push(delivery.setId);
    return { kind: "delivered" };
  },
};

const blobs = new MemoryBlobs();
const error: unknown = await blobs
  .append("upload", 1, (async function* () {})(), { maxBytes: 1 })
  .catch((thrown: unknown) => thrown);
if (!(error instanceof BlobStoreError) || error.code !== "wrong_offset") throw new Error("expected wrong_offset");
console.log(typeof createRegistry, transport.name);
