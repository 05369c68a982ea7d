import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { type Digest, digestAlgorithm, digestHex, parseDigest } from "@plimsoll/core/digest";
import { collectBytes, streamBytes } from "@plimsoll/testing";
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

    const open = () => createFileBlobStore(opened.folder);
    const damage = async (digest: Digest, content: Uint8Array) => {
      const hex = digestHex(digest);
      const path = join(opened.folder, "blobs", digestAlgorithm(digest), hex.slice(0, 2), hex);
      await rm(path);
      await writeFile(path, content);
      await utimes(path, 1, 1); // another time than before, even on a system with coarse ones
    };

    await run({ store: open(), reopen: open, damage });
  });

  it("reads for many readers at once in small steps, so that those who stall hold little", async () => {
    await using opened = await openFolder();
    const store = createFileBlobStore(opened.folder);
    const content = new Uint8Array(200_000);
    const digest = parseDigest(`sha256:${hash("sha256", content, "hex")}`);
    await store.append("one", streamBytes(content), { offset: 0, maxBytes: content.length });
    await store.commit("one", digest);
    const begin = async () => {
      const reader = store.read(digest, undefined, { use: "once" })[Symbol.asyncIterator]();
      await reader.next();
      return { reader, secondBytes: (await reader.next()).value?.length };
    };

    const readers = [];
    for (let number = 0; number < 520; number++) readers.push(await begin());
    for (const { reader } of readers) await reader.return?.();
    const { secondBytes, reader } = await begin();
    await reader.return?.();

    const sizes = Map.groupBy(readers, (each) => each.secondBytes);
    expect([...sizes].map(([bytes, of]) => [bytes, of.length])).toEqual([
      [65_536, 512],
      [16_384, 8],
    ]);
    expect(secondBytes).toBe(65_536);
  });

  it("does not read a chunk after it has reported it as written", async () => {
    await using opened = await openFolder();
    const store = createFileBlobStore(opened.folder);
    const parts = Array.from({ length: 40 }, (_, index) => new Uint8Array(100_000).fill(index));
    const digest = parseDigest(`sha256:${hash("sha256", Buffer.concat(parts), "hex")}`);
    const source = (async function* () {
      yield* parts;
    })();
    const onWritten = (chunk: Uint8Array) => void (chunk.buffer as ArrayBuffer).transfer(0);

    await store.append("one", source, { offset: 0, maxBytes: 1e9, onWritten });

    expect(parts.every(({ length }) => length === 0)).toBe(true);
    expect(await store.commit("one", digest)).toBe(4_000_000);
  });

  it.skipIf(process.platform !== "linux")("names the folder that it cannot create", async () => {
    const store = createFileBlobStore("/proc/none/blobs");

    const appended = store.append("one", streamBytes(new Uint8Array(10), 10), { offset: 0, maxBytes: 100 });

    await expect(appended).rejects.toMatchObject({ code: "ENOENT" });
  });

  const isRoot = process.getuid?.() === 0;
  it.skipIf(!isRoot)("reports a full disk, keeps the received bytes, and continues when there is space", async () => {
    await using opened = await openFolder();
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=3m", "tmpfs", opened.folder]);
    using _mounted = { [Symbol.dispose]: () => execFileSync("umount", [opened.folder]) };
    const store = createFileBlobStore(opened.folder);
    const megabytes = (count: number) => streamBytes(new Uint8Array(count * 1_000_000));
    const kept = await store.append("kept", megabytes(1), { offset: 0, maxBytes: 1e9 });

    const refusal = store.append("large", megabytes(4), { offset: 0, maxBytes: 1e9 });

    await expect(refusal).rejects.toMatchObject({ code: "full" });
    expect(await readdir(join(opened.folder, "uploads", "large"))).toEqual([]);
    expect(await store.append("kept", megabytes(1), { offset: kept, maxBytes: 1e9 })).toBe(2_000_000);
    await store.deleteUpload("kept");
    expect(await store.append("large", megabytes(2), { offset: 0, maxBytes: 1e9 })).toBe(2_000_000);
  });

  const digestOf = (content: string) => parseDigest(`sha256:${hash("sha256", content, "hex")}`);
  const placeIn = (folder: string, digest: Digest) => {
    const hex = digestHex(digest);
    return join(folder, "blobs", "sha256", hex.slice(0, 2), hex);
  };
  async function storeWith(folder: string, contents: readonly string[]) {
    const store = createFileBlobStore(folder);
    for (const content of contents) {
      await store.append(content, streamBytes(Buffer.from(content)), { offset: 0, maxBytes: 100 });
      await store.commit(content, digestOf(content));
    }
    return store;
  }
  /** Each read of this file fails with `EIO`, as on a bad sector. */
  const unreadableFile = "/proc/self/mem";

  it.skipIf(process.platform !== "linux").each([
    ["one", ["two", "three"], "damaged"],
    ["one", [], "damaged"],
    ["all", ["two", "three"], "unavailable"],
  ] as const)("says of a disk that cannot read %s of its files, beside %j: %s", async (which, others, code) => {
    await using opened = await openFolder();
    const store = await storeWith(opened.folder, ["one", ...others]);
    const broken = which === "all" ? ["one", ...others] : ["one"];
    for (const content of broken) {
      const path = placeIn(opened.folder, digestOf(content));
      await rm(path);
      await symlink(unreadableFile, path);
    }

    const range = { first: 0, last: 2 };
    for (const options of [{ use: "once" }, {}] as const) {
      const reading = collectBytes(store.read(digestOf("one"), range, options));
      await expect(reading).rejects.toMatchObject({ code, message: expect.stringContaining("EIO") });
    }
    if (which === "one")
      for (const other of others) expect((await collectBytes(store.read(digestOf(other)))).length).toBe(other.length);
  });

  it("makes its folders unreadable for other users of the machine", async () => {
    await using opened = await openFolder();
    const folder = join(opened.folder, "data", "blobs");
    const store = createFileBlobStore(folder);
    const bytes = new Uint8Array(3);
    const digest = parseDigest(`sha256:${hash("sha256", bytes, "hex")}`);
    await store.append("one", streamBytes(bytes), { offset: 0, maxBytes: 100 });
    await store.commit("one", digest);

    const made = ["..", "", "uploads", "uploads/one", "blobs/sha256"].map((path) => stat(join(folder, path)));

    expect((await Promise.all(made)).map(({ mode }) => mode & 0o077)).toEqual([0, 0, 0, 0, 0]);
  });

  it("flushes a blob to disk before it gets its name, and then every folder that changed", async () => {
    await using opened = await openFolder();
    const synced: (readonly [path: string, named: boolean])[] = [];
    const bytes = new Uint8Array(3);
    const digest = parseDigest(`sha256:${hash("sha256", bytes, "hex")}`);
    const store = createFileBlobStore(opened.folder, {
      sync: async (path) => {
        synced.push([relative(opened.folder, path), (await store.find(digest)) !== undefined]);
      },
    });
    await store.append("one", streamBytes(bytes), { offset: 0, maxBytes: 100 });

    await store.commit("one", digest);

    const folders = [join("blobs/sha256", digest.slice(7, 9)), "blobs/sha256", "blobs", ""];
    expect(synced).toEqual([[join("uploads/one", "0".repeat(16)), false], ...folders.map((each) => [each, true])]);
  });

  it("does not count bytes of a request whose process was killed", async () => {
    await using opened = await openFolder();
    const store = createFileBlobStore(opened.folder);
    const received = await store.append("one", streamBytes(new Uint8Array(10)), { offset: 0, maxBytes: 100 });

    await writeFile(join(opened.folder, "uploads", "one", "+left"), "half a request");

    expect(await createFileBlobStore(opened.folder).countReceived("one")).toBe(received);
    await store.deleteUpload("one");
    expect(await readdir(join(opened.folder, "uploads"))).toEqual([]);
  });
});
