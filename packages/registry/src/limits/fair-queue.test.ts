import { array, assert, constantFrom, integer, property, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { FairQueue } from "./fair-queue.ts";

/** Paths of three levels: few names, so that groups are shared. */
const path = tuple(constantFrom("a", "b"), constantFrom("c", "d", "e"), constantFrom("f", "g"));

function filled(paths: readonly (readonly string[])[]) {
  const queue = new FairQueue<string>();
  for (const [index, each] of paths.entries()) queue.add(each, `${each.join("/")} ${index}`);
  return queue;
}

const all = (queue: FairQueue<string>) => Array.from({ length: queue.size }, () => queue.take() ?? "");

describe("FairQueue", () => {
  it("gives each item once, those of an innermost group in their order", () => {
    assert(
      property(array(path), (paths) => {
        const taken = all(filled(paths));

        const expected = paths.map((each, index) => `${each.join("/")} ${index}`);
        expect(taken.toSorted()).toEqual(expected.toSorted());
        for (const group of new Set(paths.map((each) => each.join("/")))) {
          const isOf = (item: string) => item.startsWith(`${group} `);
          expect(taken.filter(isOf)).toEqual(expected.filter(isOf));
        }
      }),
    );
  });

  it("lets no group of a level wait for more than one item of each other group", () => {
    assert(
      property(array(path, { minLength: 1 }), (paths) => {
        const taken = all(filled(paths));

        const groups = new Set(paths.map(([widest]) => widest));
        const firsts = taken.slice(0, groups.size).map((item) => item.split("/")[0]);
        expect(new Set(firsts).size).toBe(groups.size);
      }),
    );
  });

  it("is as before after an item is removed", () => {
    assert(
      property(array(path, { minLength: 1 }), integer({ min: 0 }), (paths, at) => {
        const index = at % paths.length;
        const [removed = []] = [paths[index]];
        const queue = filled(paths);

        expect(queue.remove(removed, `${removed.join("/")} ${index}`)).toBe(true);
        expect(queue.remove(removed, `${removed.join("/")} ${index}`)).toBe(false);

        expect(queue.size).toBe(paths.length - 1);
        expect(all(queue)).toHaveLength(paths.length - 1);
        expect(queue.take()).toBeUndefined();
      }),
    );
  });

  it.each([
    {
      what: "the newest of the largest group",
      paths: ["a/c", "a/d", "a/d", "b/c"],
      preferred: "b/c",
      removed: "a/d 2",
    },
    { what: "along the preferred path among equals", paths: ["a/c", "b/c"], preferred: "a/c", removed: "a/c 0" },
    { what: "the newest group among equals", paths: ["a/c", "b/c"], preferred: "x/y", removed: "b/c 1" },
    {
      what: "in the wider group that is larger, although its parts are small",
      paths: ["a/c", "a/d", "a/e", "b/c", "b/c"],
      preferred: "b/c",
      removed: "a/e 2",
    },
  ])("removes $what", ({ paths, preferred, removed }) => {
    const queue = filled(paths.map((each) => each.split("/")));

    expect(queue.removeMostCrowded(preferred.split("/"))).toBe(removed);
    expect(queue.size).toBe(paths.length - 1);
  });
});
