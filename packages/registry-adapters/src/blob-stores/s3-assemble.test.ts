import { describe, expect, it } from "vitest";
import { type GatherOptions, gatherParts, UploadMemory } from "./s3-assemble.ts";

const mebibyte = 1024 ** 2;

/** Chunks of a quarter of a mebibyte. */
async function* chunks(count: number, error?: Error): AsyncIterable<Uint8Array> {
  for (let index = 0; index < count; index++) yield new Uint8Array(mebibyte / 4).fill(index);
  if (error !== undefined) throw error;
}

function optionsOf(given: Partial<GatherOptions> = {}): GatherOptions {
  const onError = (error: unknown) => {
    throw error;
  };
  return { memory: new UploadMemory(), room: 1024 * mebibyte, overflow: new Error("too large"), onError, ...given };
}

async function sizesOf(parts: AsyncIterable<Uint8Array>): Promise<readonly number[]> {
  const sizes: number[] = [];
  for await (const { length } of parts) sizes.push(length / mebibyte);
  return sizes;
}

describe("gatherParts", () => {
  it.each([
    { heldMebibytes: 0, parts: [8, 8, 1] },
    { heldMebibytes: 125, parts: [3, ...Array.from({ length: 56 }, () => 0.25)] },
    { heldMebibytes: 500, parts: Array.from({ length: 68 }, () => 0.25) },
  ])(
    "splits 17 MiB into parts while $heldMebibytes MiB of other uploads are held",
    async ({ heldMebibytes, parts }) => {
      const memory = new UploadMemory();
      memory.heldBytes = heldMebibytes * mebibyte;
      const grow = async function* () {
        for await (const part of gatherParts(chunks(68), optionsOf({ memory }))) {
          yield part;
          if (heldMebibytes === 125) memory.heldBytes = 128 * mebibyte + part.length; // another one has filled it
        }
      };

      expect(await sizesOf(grow())).toEqual(parts);
    },
  );

  it.each([
    { how: "comes to its end", source: chunks(5), room: 100 * mebibyte, told: [] },
    { how: "fails", source: chunks(5, new Error("gone")), room: 100 * mebibyte, told: ["gone"] },
    { how: "brings too much", source: chunks(6), room: 1.25 * mebibyte, told: ["too large"] },
  ])("yields the received bytes, and holds none afterwards, when the source $how", async ({ source, room, told }) => {
    const memory = new UploadMemory();
    const [errors, freed]: [unknown[], Uint8Array[]] = [[], []];
    const onError = (error: unknown) => errors.push((error as Error).message);
    const onWritten = (chunk: Uint8Array) => freed.push(chunk);

    const sizes = await sizesOf(gatherParts(source, optionsOf({ memory, room, onError, onWritten })));

    expect([sizes, errors, freed.length, memory.heldBytes]).toEqual([[1.25], told, 5, 0]);
  });

  it("holds no bytes after its reader stops", async () => {
    const memory = new UploadMemory();

    for await (const part of gatherParts(chunks(40), optionsOf({ memory }))) {
      expect(memory.heldBytes).toBe(part.length);
      break;
    }

    expect(memory.heldBytes).toBe(0);
  });
});
