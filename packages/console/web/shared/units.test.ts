import { describe, expect, it } from "vitest";
import { formatAge, formatCount, formatSize, shortDigest } from "./units.ts";

describe("formatSize", () => {
  it.each([
    [0, "0 B"],
    [1023, "1023 B"],
    [1024, "1.0 KiB"],
    [1_572_864, "1.5 MiB"],
    [2 ** 52, "4096.0 TiB"],
  ])("writes %d bytes as %s", (bytes, text) => {
    expect(formatSize(bytes)).toBe(text);
  });
});

describe("formatCount", () => {
  it.each([
    [0, "0"],
    [999, "999"],
    [1234, "1\u2009234"],
    [12_345_678, "12\u2009345\u2009678"],
  ])("writes %d as %s", (count, text) => {
    expect(formatCount(count)).toBe(text);
  });
});

describe("formatAge", () => {
  const now = Date.UTC(2026, 0, 31);
  it.each([
    [now - 5000, "now"],
    [now - 60_000, "1 minute ago"],
    [now - 90_000_000, "yesterday"],
    [now + 7_200_000, "in 2 hours"],
    [now - 40 * 86_400_000, "last month"],
  ])("tells %d", (at, text) => {
    expect(formatAge(at, now)).toBe(text);
  });
});

describe("shortDigest", () => {
  it("leaves the algorithm out", () => {
    expect(shortDigest(`sha256:${"0123456789abcdef".repeat(4)}`)).toBe("0123456789ab");
  });
});
