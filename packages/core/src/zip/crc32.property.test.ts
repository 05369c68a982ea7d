import { crc32 as crc32OfNode } from "node:zlib";
import fc from "fast-check";
import { describe, it } from "vitest";
import { crc32 } from "./crc32.ts";

describe("crc32", () => {
  it("is what zlib computes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => crc32(bytes) === crc32OfNode(bytes)),
      { numRuns: 200, seed: 1 },
    );
  });
});
