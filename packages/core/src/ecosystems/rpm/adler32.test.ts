import { describe, expect, it } from "vitest";
import { adler32 } from "./adler32.ts";

describe("adler32", () => {
  it.each([
    ["", 1],
    ["a", 0x00620062],
    ["Wikipedia", 0x11e60398],
  ])("of %j", (text, checksum) => {
    expect(adler32(new TextEncoder().encode(text))).toBe(checksum);
  });

  it("stays exact over many bytes", () => {
    expect(adler32(new Uint8Array(100_000).fill(255))).toBe(0x149a_302c);
  });
});
