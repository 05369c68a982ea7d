import { describe, expect, it } from "vitest";
import { sparks } from "./repository-table.tsx";

describe("sparks", () => {
  it("draws each day that is not zero in its place, the largest as high as the drawing", () => {
    expect(sparks([0, 10, 5], { width: 12, height: 16 })).toEqual([
      { day: 1, x: 4, y: 0, width: 3, height: 16 },
      { day: 2, x: 8, y: 8, width: 3, height: 8 },
    ]);
  });

  it("draws what is very little beside the largest so that it is seen", () => {
    expect(sparks([1, 1_000_000], { width: 8, height: 16 })[0]).toMatchObject({ y: 14, height: 2 });
  });
});
