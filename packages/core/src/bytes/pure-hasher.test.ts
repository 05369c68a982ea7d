import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { pureHasher } from "./pure-hasher.ts";

describe("pureHasher", () => {
  const lengths = [0, 1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 1_000, 100_003];

  it.each(["sha256", "sha512"] as const)("computes %s as Node does, in pieces of any size", (algorithm) => {
    const differing = lengths.filter((length) => {
      const bytes = Uint8Array.from({ length }, (_, at) => (at * 31) & 0xff);
      const hasher = pureHasher(algorithm);
      for (let at = 0; at < length; at += 77) hasher.update(bytes.subarray(at, at + 77));
      return hasher.hex() !== createHash(algorithm).update(bytes).digest("hex");
    });

    expect(differing).toEqual([]);
  });
});
