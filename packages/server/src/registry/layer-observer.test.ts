import { allEcosystems, createEngine } from "@plimsoll/core";
import {
  type LayerCache,
  type LayerRecord,
  memoryLayerCache,
  nodeReaders,
  openLayerPool,
  parseLayerRecord,
} from "@plimsoll/indexer";
import type { ReadableUpload } from "@plimsoll/registry-api";
import { buildTar, compress, digestOf, streamBytes } from "@plimsoll/testing";
import { afterAll, describe, expect, it } from "vitest";
import { layerObserver } from "./layer-observer.ts";

const engine = createEngine({ ecosystems: allEcosystems });
const status = "Package: zlib\nStatus: install ok installed\nArchitecture: amd64\nVersion: 1\n";
const release = 'ID=debian\nVERSION_ID="12"\n';
const tar = buildTar(
  { name: "opt/status", content: status },
  { name: "var/lib/dpkg/status", type: "2", linkName: "/opt/status" }, // its content has passed by when it is wanted
  { name: "etc/os-release", content: release },
  { name: "large", content: new Uint8Array(3 * 1024 ** 2).map((_, at) => (at * at) >> 7) },
);

/** An upload that comes in small pieces. */
function uploadOf(bytes: Uint8Array): ReadableUpload {
  return { open: () => streamBytes(bytes, 10_000), digest: Promise.resolve(digestOf(bytes)) };
}

/** An observer with a pool of two threads. */
function observerOn(cache: LayerCache) {
  return layerObserver({ readLayer: pool.readLayer, layersAtOnce: 2, cache, engineState: engine.state });
}

/** The findings of a complete blob. */
async function foundIn(bytes: Uint8Array) {
  const { record } = await nodeReaders(engine).readLayer({
    open: () => streamBytes(bytes),
    reopens: true,
    expected: {},
  });
  return plain(record);
}

/** Findings without what depends on a digest of all content, as comparable values. */
function plain(record: LayerRecord) {
  const { diffId: _, shape, ...found } = parseLayerRecord(record);
  return { ...found, shape: Object.values(shape).map((paths) => paths.encode()) };
}

const pool = openLayerPool({ engine, maxThreads: 2 });
afterAll(() => pool[Symbol.asyncDispose]());

describe("layerObserver", () => {
  it.each(["plain", "gzip", "zstd"] as const)(
    "finds the same in the upload of a %s layer as in its blob",
    async (how) => {
      const layers = memoryLayerCache();
      const bytes = compress(tar, how);

      await observerOn(layers).observe(uploadOf(bytes));

      const found = await layers.find(digestOf(bytes), engine.state);
      expect(found && plain(found)).toEqual(await foundIn(bytes));
      expect(found?.pieces.join()).toContain('"zlib"');
    },
  );

  it("does not read a layer again that is stored and known", async () => {
    const layers = memoryLayerCache();
    const bytes = compress(tar, "gzip");
    const again: ReadableUpload = {
      digest: Promise.resolve(digestOf(bytes)),
      // biome-ignore lint/correctness/useYield: it has no bytes to give
      open: async function* () {
        throw new Error("read again");
      },
    };

    await observerOn(layers).observe(uploadOf(bytes));

    await expect(observerOn(layers).observe(again)).resolves.toBeUndefined();
    await expect(observerOn(memoryLayerCache()).observe(again)).rejects.toThrow("read again");
  });

  it("reads several layers concurrently", async () => {
    const layers = memoryLayerCache();
    const observer = observerOn(layers);
    const contents = Array.from({ length: 12 }, (_, number) => compress(buildTar({ name: `${number}` }, tar), "gzip"));

    await Promise.all(contents.map((bytes) => observer.observe(uploadOf(bytes))));

    for (const bytes of contents) expect(await layers.find(digestOf(bytes), engine.state)).toBeDefined();
  });

  it.each([
    ["no layer", new Uint8Array(1000).fill(7)],
    ["damaged", compress(tar, "gzip").fill(0, 500, 600)],
    ["cut off", compress(tar, "gzip").subarray(0, 900)],
  ])("keeps nothing of what is %s", async (_, bytes) => {
    const layers = memoryLayerCache();

    await expect(observerOn(layers).observe(uploadOf(bytes))).rejects.toThrow();

    expect(await layers.find(digestOf(bytes), engine.state)).toBeUndefined();
  });

  it("keeps no findings of an upload that does not become a blob", async () => {
    const layers = memoryLayerCache();
    const bytes = compress(tar, "gzip");
    const gone = Promise.reject(new Error("gone"));

    await expect(observerOn(layers).observe({ open: () => streamBytes(bytes), digest: gone })).rejects.toThrow("gone");

    expect(await layers.find(digestOf(bytes), engine.state)).toBeUndefined();
  });
});
