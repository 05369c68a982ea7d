import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PathKind, PathTable } from "./path-table.ts";

const hash = fc.oneof(fc.integer({ min: 0, max: 30 }), fc.maxSafeInteger().map(Math.abs));
const kind = fc.constantFrom<PathKind>("folder", "leaf");

describe("PathTable", () => {
  it("keeps the last kind of every path, as a map would", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(hash, kind), { maxLength: 3000 }), (entries) => {
        const table = new PathTable(10_000);
        for (const [path, what] of entries) table.set(path, what);

        const expected = new Map(entries);
        const ofKind = (what: PathKind) => [...expected].flatMap(([path, found]) => (found === what ? [path] : []));
        expect([...expected].every(([path, what]) => table.get(path) === what)).toBe(true);
        expect([...table.paths("leaf").hashes]).toEqual(ofKind("leaf").sort((a, b) => a - b));
        expect([...table.paths("folder").hashes]).toEqual(ofKind("folder").sort((a, b) => a - b));
      }),
    );
  });

  it("does not know what was never set, 0 included", () => {
    expect([0, 5, 2 ** 52].map((path) => new PathTable(10).get(path))).toEqual([undefined, undefined, undefined]);
  });

  it("refuses more paths than the limit, not more changes", () => {
    const table = new PathTable(2);
    for (const path of [1, 2, 1, 2, 1]) table.set(path, "leaf");

    expect(() => table.set(3, "folder")).toThrow("more than maxEntries, 2 paths");
  });
});
