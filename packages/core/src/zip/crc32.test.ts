import { describe, expect, it } from "vitest";
import { crc32 } from "./crc32.ts";

describe("crc32", () => {
  it.each([
    ["", 0],
    ["123456789", 0xcbf43926],
  ])("%j: %i", (text, expected) => {
    expect(crc32(new TextEncoder().encode(text))).toBe(expected);
  });
});
