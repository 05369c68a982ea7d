import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../core/src/fixtures/any-character.ts";
import { encodeFrame, readFrames, type StompFrame } from "./stomp.ts";

const name = fc.string({ minLength: 1, maxLength: 8, unit: anyCharacter }).filter((text) => text !== "content-length");
const frame: fc.Arbitrary<StompFrame> = fc.record({
  command: fc.constantFrom("SEND", "RECEIPT", "ERROR", "MESSAGE"),
  headers: fc
    .array(fc.tuple(name, fc.string({ maxLength: 8, unit: anyCharacter })), { maxLength: 4 })
    .map((members) => Object.fromEntries(members.filter(([member]) => member !== "__proto__"))),
  body: fc.string({ maxLength: 20, unit: anyCharacter }),
});

async function read(bytes: Uint8Array, size: number): Promise<StompFrame[]> {
  async function* stream() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const frames: StompFrame[] = [];
  for await (const found of readFrames(stream(), { maxBytes: 10_000 })) frames.push(found);
  return frames;
}

describe("readFrames", () => {
  it("reads what encodeFrame wrote, however it is cut into pieces", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { maxLength: 4 }), fc.integer({ min: 1, max: 40 }), async (frames, size) => {
        const found = await read(Buffer.concat(frames.map(encodeFrame)), size);

        expect(
          found.map(({ headers: { "content-length": _, ...headers }, ...rest }) => ({ ...rest, headers })),
        ).toEqual(frames);
      }),
      { numRuns: 200, seed: 3 },
    );
  });

  it("ends, with frames or an error, for any input", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 1, max: 40 }), async (bytes, size) => {
        await read(bytes, size).catch((error: unknown) => expect(error).toBeInstanceOf(Error));
      }),
      { numRuns: 200, seed: 3 },
    );
  });
});
