import { describe, expect, it } from "vitest";
import type { SqlValue } from "../store.ts";
import { RememberedRows, type Rows } from "./remembered-rows.ts";

/** Looks up remembered rows, and counts the reads of the database. */
function lookingUp() {
  const remembered = new RememberedRows();
  let readings = 0;
  const find = (query: { readonly sql: string }, keys: readonly SqlValue[], rows: Rows = [{ reading: readings }]) =>
    remembered.find({ query, keys, parameters: () => keys }, () => {
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
      "the same page of a list once, and each other page",
      [
        ["a", 0, 50],
        ["a", 0, 50],
        ["a", 50, 50],
        ["a", "0", 50],
      ],
      3,
    ],
    [
      "each look-up by a time",
      [
        ["a", 1_700_000_000_000],
        ["a", 1_700_000_000_000],
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

  it("distinguishes queries, even with the same text", () => {
    const { find } = lookingUp();
    const other = { ...query };

    expect([find(query, ["a"]), find(other, ["a"]), find(query, ["a"])]).toEqual([
      [{ reading: 0 }],
      [{ reading: 1 }],
      [{ reading: 0 }],
    ]);
  });

  it("forgets everything when the database has changed, and only then", () => {
    const { remembered, find, readings } = lookingUp();
    remembered.setVersion(7);
    find(query, ["a"]);

    remembered.setVersion(7);
    find(query, ["a"]);
    expect(readings()).toBe(1);

    remembered.setVersion(8);
    find(query, ["a"]);
    expect(readings()).toBe(2);
  });

  it("does not let a caller change the rows of another", () => {
    const { find } = lookingUp();

    const [row] = find(query, ["a"]);

    expect(() => Object.assign(row ?? {}, { reading: 9 })).toThrow(TypeError);
  });

  it.each<[string, Rows]>([
    ["a long text", [{ content: "x".repeat(70_000) }]],
    ["many rows", Array.from({ length: 2_500 }, (_, row) => ({ row }))],
  ])("does not remember %s", (_, rows) => {
    const { find, readings } = lookingUp();

    for (let run = 0; run < 2; run++) expect(find(query, ["a"], rows)).toBe(rows);

    expect(readings()).toBe(2);
  });

  it("does not remember rows of a long key", () => {
    const { find, readings } = lookingUp();

    for (let run = 0; run < 2; run++) find(query, ["x".repeat(13_000)], []);

    expect(readings()).toBe(2);
  });

  it("counts the size of keys without rows, too", () => {
    const { find, readings } = lookingUp();
    const name = (n: number) => `${"x".repeat(400)}${n}`;
    find(query, ["first"], []);

    for (let key = 0; key < 40_000; key++) find(query, [name(key)], []);
    find(query, [name(39_999)], []);
    expect(readings()).toBe(40_001);

    find(query, ["first"], []);
    expect(readings()).toBe(40_002);
  });

  it("remembers at most a number of bytes", () => {
    const { find, readings } = lookingUp();
    const rows = [{ content: "x".repeat(8000) }];
    find(query, ["first"], rows);
    find(query, ["first"], rows);
    expect(readings()).toBe(1);

    for (let key = 0; key < 2100; key++) find(query, [String(key)], rows);
    find(query, ["2099"], rows);
    expect(readings()).toBe(2101);

    find(query, ["first"], rows);
    expect(readings()).toBe(2102);
  });
});
