import { describe, expect, it } from "vitest";
import type { SqlValue } from "../store.ts";
import { RememberedRows, type Rows } from "./remembered-rows.ts";

/** Looks up in a memory of which every reading is counted. */
function lookingUp() {
  const remembered = new RememberedRows();
  let readings = 0;
  const find = (query: { readonly sql: string }, keys: readonly SqlValue[], rows: Rows = [{ reading: readings }]) =>
    remembered.find({ query, keys, parameters: keys }, () => {
      readings += 1;
      return rows;
    });
  return { remembered, find, readings: () => readings };
}

const query = { sql: "select" };

describe("RememberedRows", () => {
  it.each<[string, readonly SqlValue[][], number]>([
    ["the same look-up once", [["a"], ["a"], ["a"]], 1],
    [
      "the same look-up by several keys once",
      [
        ["a", "b"],
        ["a", "b"],
      ],
      1,
    ],
    ["a look-up without keys once", [[], []], 1],
    [
      "each look-up by other keys",
      [
        ["a", "bc"],
        ["ab", "c"],
        ["abc", ""],
        ["", "abc"],
      ],
      4,
    ],
    [
      "each look-up by a time",
      [
        ["a", 1],
        ["a", 1],
      ],
      2,
    ],
    [
      "each look-up by nothing",
      [
        ["a", null],
        ["a", null],
      ],
      2,
    ],
  ])("reads %s", (_, runs, expected) => {
    const { find, readings } = lookingUp();

    for (const keys of runs) find(query, keys);

    expect(readings()).toBe(expected);
  });

  it("keeps queries apart, even of one text", () => {
    const { find } = lookingUp();
    const other = { ...query };

    expect([find(query, ["a"]), find(other, ["a"]), find(query, ["a"])]).toEqual([
      [{ reading: 0 }],
      [{ reading: 1 }],
      [{ reading: 0 }],
    ]);
  });

  it("forgets all when the database has changed, and only then", () => {
    const { remembered, find, readings } = lookingUp();
    remembered.see(7);
    find(query, ["a"]);

    remembered.see(7);
    find(query, ["a"]);
    expect(readings()).toBe(1);

    remembered.see(8);
    find(query, ["a"]);
    expect(readings()).toBe(2);
  });

  it("lets nobody change what others are given", () => {
    const { find } = lookingUp();

    const [row] = find(query, ["a"]);

    expect(() => Object.assign(row ?? {}, { reading: 9 })).toThrow(TypeError);
  });

  it("remembers neither long results nor more than so many", () => {
    const { find, readings } = lookingUp();
    const long = Array.from({ length: 21 }, (_, reading) => ({ reading }));
    const longQuery = { sql: "long" };
    for (let run = 0; run < 2; run++) find(longQuery, ["a"], long);
    expect(readings()).toBe(2);

    for (let key = 0; key <= 10_000; key++) find(query, [String(key)]);
    find(query, ["10000"]);
    expect(readings()).toBe(2 + 10_001);
    find(query, ["0"]);
    expect(readings()).toBe(2 + 10_002);
  });
});
