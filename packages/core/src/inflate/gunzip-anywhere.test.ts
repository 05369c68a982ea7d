import { describe, expect, it } from "vitest";
import type { Bytes } from "../bytes/bytes.ts";
import { concatBytes } from "../bytes/concat-bytes.ts";
import { createGunzip } from "./gunzip.ts";

/** Gzip as the platform writes it, whichever that is. */
async function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const compressed = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(compressed).arrayBuffer());
}

async function* inPieces(bytes: Uint8Array, length: number): Bytes {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function collect(bytes: Bytes): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk.slice());
  return concatBytes(chunks);
}

describe("createGunzip on any platform", () => {
  const plain = Uint8Array.from({ length: 300_000 }, (_, at) => (at % 251) ^ ((at >> 9) & 0xff));

  it.each([1_000, 65_536, 1_000_000])(
    "reads what the platform has compressed, in pieces of %i bytes",
    async (length) => {
      const found = await collect(createGunzip()(inPieces(await gzip(plain), length)));

      expect(found.length).toBe(plain.length);
      expect(found.findIndex((byte, at) => byte !== plain[at])).toBe(-1);
    },
  );

  it("refuses what was changed on the way", async () => {
    const damaged = (await gzip(plain)).slice();
    damaged[damaged.length - 6] = (damaged[damaged.length - 6] ?? 0) ^ 1;

    await expect(collect(createGunzip()(inPieces(damaged, 4_096)))).rejects.toMatchObject({ code: "layer_corrupt" });
  });
});
