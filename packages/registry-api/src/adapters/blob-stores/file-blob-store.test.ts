import { hash } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseDigest } from "@plimsoll/core";
import { streamBytes } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { createFileBlobStore } from "./file-blob-store.ts";
import { blobStoreContract } from "./fixtures/blob-store-contract.ts";

async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), "plimsoll-blobs-"));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

describe("createFileBlobStore", () => {
  it.each(blobStoreContract)("$name", async ({ run }) => {
    await using opened = await openFolder();

    await run({ store: createFileBlobStore(opened.folder), reopen: () => createFileBlobStore(opened.folder) });
  });

  it("needs no chunk any more that it has told as written", async () => {
    await using opened = await openFolder();
    const store = createFileBlobStore(opened.folder);
    const parts = Array.from({ length: 40 }, (_, index) => new Uint8Array(100_000).fill(index));
    const digest = parseDigest(`sha256:${hash("sha256", Buffer.concat(parts), "hex")}`);
    const source = (async function* () {
      yield* parts;
    })();
    const onWritten = (chunk: Uint8Array) => void (chunk.buffer as ArrayBuffer).transfer(0);

    await store.append("one", 0, source, { maxBytes: 1e9, onWritten });

    expect(parts.every(({ length }) => length === 0)).toBe(true);
    expect(await store.commit("one", digest)).toBe(4_000_000);
  });

  it("counts nothing that a request was writing when its process died", async () => {
    await using opened = await openFolder();
    const store = createFileBlobStore(opened.folder);
    const received = await store.append("one", 0, streamBytes(new Uint8Array(10)), { maxBytes: 100 });

    await writeFile(join(opened.folder, "uploads", "one", "+left"), "half a request");

    expect(await createFileBlobStore(opened.folder).countReceived("one")).toBe(received);
    await store.deleteUpload("one");
    expect(await readdir(join(opened.folder, "uploads"))).toEqual([]);
  });
});
