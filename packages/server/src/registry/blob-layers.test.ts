import { parseDigest } from "@plimsoll/core/digest";
import type { BlobStore } from "@plimsoll/registry";
import { describe, expect, it } from "vitest";
import { blobLayers } from "./layer-observer.ts";

const digest = parseDigest(`sha256:${"a".repeat(64)}`);
const other = parseDigest(`sha256:${"b".repeat(64)}`);
const blobs = {
  read: async function* (asked: string) {
    yield Buffer.from(`blob ${asked}`);
  },
} as unknown as BlobStore;

const fromNetwork = async function* () {
  yield Buffer.from("network");
};

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe("blobLayers", () => {
  const layers = blobLayers(blobs, new Uint8Array(32).fill(1));
  const fetchLayer = layers.fetchFrom(fromNetwork);

  it("reads URLs that it has signed itself from the store", async () => {
    const bytes = fetchLayer({ digest, uri: layers.addressOf(digest), headers: {} });

    expect(await textOf(bytes)).toBe(`blob ${digest}`);
  });

  it("fetches other URLs from the network", async () => {
    expect(await textOf(fetchLayer({ digest, uri: "https://example.com/layer", headers: {} }))).toBe("network");
  });

  it.each([
    ["no signature", `https://registry.invalid/blobs/${digest}?`],
    ["that of another layer", layers.addressOf(other).replace(other, digest)],
    ["that of another key", blobLayers(blobs, new Uint8Array(32).fill(2)).addressOf(digest)],
    ["another layer's address", layers.addressOf(other)],
  ])("reads nothing for %s", (_, uri) => {
    expect(() => fetchLayer({ digest, uri, headers: {} })).toThrow(/not signed/);
  });
});
