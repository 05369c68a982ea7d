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
});
