import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byteFinder } from "./find-bytes.ts";

describe("byteFinder", () => {
  it("finds what a search at every byte finds", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "\0", "\xff"), minLength: 1, maxLength: 5 });
    const texts = fc.string({ unit: fc.constantFrom("a", "b", "\0", "\xff"), maxLength: 200 });
    fc.assert(
      fc.property(letters, texts, (mark, text) => {
        const expected = [...text].flatMap((_, at) => (text.startsWith(mark, at) ? [at] : []));

        expect(placesOf(mark, Buffer.from(text, "latin1"))).toEqual(expected);
      }),
    );
  });
});

function placesOf(mark: string, bytes: Uint8Array): readonly number[] {
  const finder = byteFinder(mark);
  const places: number[] = [];
  for (let at = finder.find(bytes); at >= 0; at = finder.find(bytes, at + 1)) places.push(at);
  return places;
}
