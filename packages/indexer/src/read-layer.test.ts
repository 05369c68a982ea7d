import { createEngine, dpkg, linux, ScanError } from "@plimsoll/core";
import type { ExpectedLayer, LayerBytes } from "@plimsoll/core/internal";
import { buildTar, compress, digestOf, streamBytes } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { nodeReaders } from "./adapters/platform/node-readers.ts";

const { readLayer } = nodeReaders(createEngine({ ecosystems: [linux, dpkg] }));
const tar = buildTar({ name: "etc/os-release", content: "ID=debian\n" });
const gzip = compress(tar, "gzip");
const [digest, diffId, another] = [digestOf(gzip), digestOf(tar), digestOf(Uint8Array.of(1))];

function layerOf(expected: ExpectedLayer, more: Partial<LayerBytes> = {}): LayerBytes {
  return { open: () => streamBytes(gzip, 10), reopens: true, expected, ...more };
}

async function problemOf(layer: LayerBytes): Promise<string> {
  return readLayer(layer).then(
    () => "none",
    (error: unknown) => (error instanceof ScanError ? error.code : String(error)),
  );
}

describe("layerReaderFor", () => {
  it.each([
    ["nothing", layerOf({}), { digest, diffId }],
    ["the digest", layerOf({ digest }), { digest, diffId: undefined }],
    ["the diff id", layerOf({ diffId }), { digest, diffId }],
    ["both", layerOf({ digest, diffId }), { digest, diffId }],
    ["the digest, of bytes that pass once,", layerOf({ digest }, { reopens: false }), { digest, diffId }],
    ["a digest that others verify", layerOf({}, { verifiedDigest: Promise.resolve(digest) }), { digest }],
  ])("computes what fixes the bytes where %s is promised", async (_, layer, expected) => {
    const read = await readLayer(layer);

    expect({ digest: read.digest, diffId: read.diffId }).toEqual({ diffId: undefined, ...expected });
    expect(read.record.diffId).toBe(read.diffId);
  });

  it.each([
    ["another digest", { digest: another, diffId }, "digest_mismatch"],
    ["another diff id and no digest", { diffId: another }, "digest_mismatch"],
    ["another diff id beside the digest", { digest, diffId: another }, "digest_mismatch"],
    ["another size", { digest, sizeBytes: gzip.length + 1 }, "size_mismatch"],
  ])("answers %s with %s", async (_, expected, problem) => {
    expect(await problemOf(layerOf(expected))).toBe(problem);
  });

  it("compares the CRC-32 of gzip although the digest fixes the bytes", async () => {
    const damaged = new Uint8Array(gzip);
    damaged.set([1, 2, 3, 4], gzip.length - 8);
    const layer = layerOf({ digest: digestOf(damaged) }, { open: () => streamBytes(damaged, 10) });

    expect(await problemOf(layer)).toBe("layer_corrupt");
  });
});
