import { describe, expect, it } from "vitest";
import { recordsByTag } from "./guard-enrichers.ts";

describe("recordsByTag", () => {
  const [both, other] = [
    { tags: ["a", "b"], record: 1 },
    { tags: ["a"], record: 2 },
  ];
  const recordsOf = recordsByTag([both, other]);

  it.each([
    [["a"], [both, other]],
    [
      ["b", "a"],
      [both, other],
    ],
    [["b"], [both]],
    [["c"], []],
    [[], []],
  ])("finds the records with any of %j, each once", (tags, records) => {
    expect(recordsOf(tags)).toEqual(records);
  });
});
