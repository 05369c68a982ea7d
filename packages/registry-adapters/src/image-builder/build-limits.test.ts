import { describe, expect, it } from "vitest";
import { defaultBuildLimits, formatBytes } from "./build-limits.ts";
import { limitsPids } from "./sandbox.ts";

describe("defaultBuildLimits", () => {
  it.each([
    [1024 ** 3, 512 * 1024 ** 2],
    [64 * 1024 ** 3, 4 * 1024 ** 3],
  ])("leaves half of the memory of a machine with %i bytes, or more", (machine, memoryBytes) => {
    expect(defaultBuildLimits(machine)).toMatchObject({ memoryBytes });
  });
});

describe("formatBytes", () => {
  it.each([
    [0, "0 bytes"],
    [1023, "1023 bytes"],
    [1536, "1.5 KiB"],
    [20 * 1024 ** 3, "20 GiB"],
    [5000 * 1024 ** 4, "5000 TiB"],
  ])("shows %i as %s", (bytes, shown) => {
    expect(formatBytes(bytes)).toBe(shown);
  });
});

describe("limitsPids", () => {
  it.each([
    ["6.14.0-1-amd64", true],
    ["7.0.0", true],
    ["6.1.0-41-cloud-amd64", false],
    ["5.15", false],
  ])("says of Linux %s: %s", (kernel, isLimited) => {
    expect(limitsPids(kernel)).toBe(isLimited);
  });
});
