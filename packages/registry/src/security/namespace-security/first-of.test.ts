import { describe, expect, it } from "vitest";
import { FirstOf } from "./first-of.ts";

describe("FirstOf", () => {
  it.each([
    { most: 3, count: 2, sorted: [0, 1] },
    { most: 3, count: 10_000, sorted: [0, 1, 2] },
    { most: 1, count: 1_002, sorted: [0] },
  ])("has the first $most of $count", ({ most, count, sorted }) => {
    const first = new FirstOf<number>(most, (one, other) => one - other);

    for (let item = count - 1; item >= 0; item--) first.add(item);

    expect(first.sorted()).toEqual(sorted);
  });

  it("joins items that compare as equal, if it has a function for it", async () => {
    const add = (one: readonly [number, number], other: readonly [number, number]) =>
      [one[0], one[1] + other[1]] as const;
    const first = new FirstOf<readonly [number, number]>(2, ([one], [other]) => one - other, add);

    for (let item = 0; item < 3000; item++) first.add([item % 3, 1]);

    expect(first.sorted()).toEqual([
      [0, 1000],
      [1, 1000],
    ]);
  });
});
