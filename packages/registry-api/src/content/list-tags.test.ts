import { describe, expect, it } from "vitest";
import { memoize } from "./list-tags.ts";

describe("memoize", () => {
  it("makes one frozen value of each input", () => {
    let made = 0;
    const count = memoize((rows: readonly number[], name: string) => {
      made += 1;
      return { name, sum: rows.reduce((sum, row) => sum + row, 0) };
    });
    const [one, other] = [
      [1, 2],
      [1, 2],
    ];

    expect([count(one, "a"), count(other, "b"), count(one, "a")]).toEqual([
      { name: "a", sum: 3 },
      { name: "b", sum: 3 },
      { name: "a", sum: 3 },
    ]);
    expect(count(one, "a")).toBe(count(one, "a"));
    expect(made).toBe(2);
    expect(() => Object.assign(count(one, "a"), { sum: 4 })).toThrow(TypeError);
  });
});
