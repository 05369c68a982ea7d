import { describe, expect, it } from "vitest";
import { barParts, mayHaveMore } from "./severities.ts";

const none = { critical: 0, high: 0, medium: 0, low: 0, negligible: 0, unknown: 0 };

describe("barParts", () => {
  it.each([
    ["nothing", {}, []],
    ["one severity", { low: 7 }, [["Low", 96]]],
    [
      "a count that is small beside another",
      { critical: 1, low: 1_000_000 },
      [
        ["Critical", 3],
        ["Low", 93],
      ],
    ],
    [
      "all severities",
      { critical: 1, high: 1, medium: 1, low: 1, negligible: 1, unknown: 1 },
      ["Critical", "High", "Medium", "Low", "Negligible", "Unknown"].map((name) => [name, 16]),
    ],
  ] as const)("shows %s", (_, counts, parts) => {
    const shown = barParts({ ...none, ...counts }, 96);

    expect(shown.map(({ severity, width }) => [severity, Math.round(width)])).toEqual(parts);
    expect(shown.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(parts.length === 0 ? 0 : 96);
  });
});

describe("mayHaveMore", () => {
  it.each([
    [{ partial: false, feeds: "current" }, false],
    [{ partial: true, feeds: "current" }, true],
    [{ partial: false, feeds: "outdated" }, true],
    [{ partial: false, feeds: "missing" }, true],
    [{ partial: false, feeds: "unknown" }, true],
  ] as const)("says of %j: %s", (counts, more) => {
    expect(mayHaveMore(counts)).toBe(more);
  });
});
