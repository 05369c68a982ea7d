import { describe, expect, it } from "vitest";
import { concatBytes } from "../bytes/concat-bytes.ts";
import { Window } from "./window.ts";

const windowOf = (text: string, sizeBytes = 4) => {
  const window = new Window(sizeBytes);
  for (const byte of new TextEncoder().encode(text)) window.put(byte);
  return window;
};

describe("Window", () => {
  it.each([
    ["abc", 1, 2, "bccc"],
    ["abc", 3, 3, "cabc"],
    ["ab", 2, 4, "abab"],
    ["abcdef", 4, 1, "defc"],
  ])("of %j repeats from %i before for %i bytes: %j", (text, distance, length, last) => {
    const window = windowOf(text);

    expect(window.repeat(distance, length)).toBe(true);
    expect(new TextDecoder().decode(concatBytes(window.last(4)))).toBe(last);
  });

  it.each([
    ["abc", 4],
    ["", 1],
    ["abcdef", 5],
  ])("of %j has nothing %i before", (text, distance) => {
    expect(windowOf(text).repeat(distance, 1)).toBe(false);
  });

  it.each([100_000, 200_000])("of %i bytes grows until they are there, and then forgets the first", (sizeBytes) => {
    const window = new Window(sizeBytes);
    for (let at = 0; at < sizeBytes; at++) window.put(at % 251);

    expect(window.byteAt(sizeBytes)).toBe(0);
    expect(window.repeat(sizeBytes + 1, 1)).toBe(false);
    window.put(7);
    expect([window.byteAt(sizeBytes), window.byteAt(2), window.byteAt(1)]).toEqual([1, (sizeBytes - 1) % 251, 7]);
    expect(concatBytes(window.last(sizeBytes)).subarray(0, 3)).toEqual(Uint8Array.of(1, 2, 3));
  });

  it("gives views of the last bytes, and takes them back when it is released", () => {
    const window = windowOf("abcdef");
    const views = window.last(4);

    expect(new Set(views.map(({ buffer }) => buffer)).size).toBe(1);
    window.release();
    expect(views.map(({ length }) => length)).toEqual([0, 0]);
  });

  it("forgets what was before a reset", () => {
    const window = windowOf("abc");
    window.reset();

    expect(window.repeat(1, 1)).toBe(false);
    expect(window.byteAt(1)).toBe(0);
  });
});
