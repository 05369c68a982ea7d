import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashFolders, hashPath } from "./path-hash.ts";
import { buildPathSet, decodePathSet, nothingChanged } from "./path-set.ts";

describe("buildPathSet", () => {
  it("has its paths and no others", () => {
    const set = buildPathSet(["b", "a/b", "usr/lib/os-release"]);

    expect(["b", "a/b", "usr/lib/os-release"].every((path) => set.has(path))).toBe(true);
    expect(["", "a", "a/b/c", "usr/lib", "usr/lib/os-releas"].some((path) => set.has(path))).toBe(false);
  });

  it("has nothing when it is empty", () => {
    expect(nothingChanged.leaves.has("")).toBe(false);
    expect(nothingChanged.leaves.encode()).toBe("");
  });
});

describe("decodePathSet", () => {
  it("is the inverse of encode", () => {
    const paths = fc.array(fc.string());
    fc.assert(
      fc.property(paths, paths, (members, others) => {
        const set = buildPathSet(members);
        const decoded = decodePathSet(set.encode());

        expect(decoded.encode()).toBe(set.encode());
        for (const path of [...members, ...others]) expect(decoded.has(path)).toBe(members.includes(path));
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  it.each(["a", "AAAA", "?"])("refuses %s", (text) => {
    expect(() => decodePathSet(text)).toThrow(expect.objectContaining({ code: "malformed_image" }));
  });
});

describe("hashPath", () => {
  it("gives whole numbers below 2^53, different for a hundred thousand similar paths", () => {
    const hashes = Array.from({ length: 100_000 }, (_, index) => hashPath(`usr/share/doc/package-${index}/copyright`));

    expect(hashes.every((hash) => Number.isSafeInteger(hash) && hash >= 0)).toBe(true);
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(hashes.some((hash) => hash > 2 ** 52)).toBe(true);
  });
});

describe("hashFolders", () => {
  it("gives the hash of every folder above", () => {
    expect(hashFolders("a/bc/d")).toEqual([hashPath("a"), hashPath("a/bc")]);
    expect(hashFolders("a")).toEqual([]);
  });
});
