import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonMembers } from "../debian-tracker/updater.ts";
import { collect } from "./fixtures/items-of.ts";

async function* chunksOf(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const buffer = new Uint8Array(size);
  for (let at = 0; at < bytes.length; at += size) {
    buffer.set(bytes.subarray(at, at + size));
    yield buffer.subarray(0, Math.min(size, bytes.length - at));
  }
}

async function read(text: string, size: number): Promise<[string, unknown][]> {
  const members = await collect(jsonMembers(chunksOf(text, size), "feed.json"));
  return members.map(([name, { value }]) => [name, value]);
}

describe("jsonMembers", () => {
  it("reads what JSON.stringify writes, in chunks of any size", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.integer({ min: 1, max: 40 }),
        async (object, size) => {
          const text = JSON.stringify(object);

          expect(await read(text, size)).toEqual(Object.entries(JSON.parse(text) as object));
        },
      ),
      { numRuns: 200, seed: 1 },
    );
  });
});
