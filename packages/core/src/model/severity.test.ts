import { describe, expect, it } from "vitest";
import { compareSeverity, findSeverity, severities } from "./severity.ts";

describe("compareSeverity", () => {
  it("orders from Unknown to Critical", () => {
    const shuffled = ["High", "Unknown", "Critical", "Low", "Negligible", "Medium"] as const;

    expect([...shuffled].sort(compareSeverity)).toEqual(severities);
  });
});

describe("findSeverity", () => {
  it.each([
    ["High", "High"],
    ["HIGH", "High"],
    ["negligible", "Negligible"],
    ["moderate", undefined],
    ["", undefined],
    ["constructor", undefined],
  ])("of %j is %s", (text, severity) => {
    expect(findSeverity(text)).toBe(severity);
  });
});
