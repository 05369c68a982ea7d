import { describe, expect, it } from "vitest";
import { threadsThatFit } from "./layer-budget.ts";

const gigabyte = 1024 ** 3;

describe("threadsThatFit", () => {
  it.each([
    [2, 256, 16 * gigabyte, 2],
    [64, 256, 2 * gigabyte, 8],
    [64, 1024, 2 * gigabyte, 2],
    [64, 256, gigabyte / 8, 1],
    [4, 256, 0, 1],
  ])(
    "of %i threads of %i MB with %i bytes available takes %i",
    (wanted, layerHeapMegabytes, availableBytes, fitting) => {
      expect(threadsThatFit(wanted, { layerHeapMegabytes }, availableBytes)).toBe(fitting);
    },
  );

  it("asks the process where the platform does not say what is available", () => {
    const half = process.availableMemory() / 2 / 1024 ** 2;
    expect(threadsThatFit(1_000, { layerHeapMegabytes: half })).toBeLessThanOrEqual(3);
  });
});
