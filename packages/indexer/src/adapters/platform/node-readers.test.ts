import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { nodeHasher } from "./node-readers.ts";

describe("nodeHasher", () => {
  it.each(["sha256", "sha512"] as const)("computes %s piece by piece", (algorithm) => {
    const hasher = nodeHasher(algorithm);
    hasher.update(new TextEncoder().encode("hel"));
    hasher.update(new TextEncoder().encode("lo"));

    expect(hasher.hex()).toBe(createHash(algorithm).update("hello").digest("hex"));
  });
});
