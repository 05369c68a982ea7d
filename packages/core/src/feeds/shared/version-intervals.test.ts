import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findRange } from "../../match/range.ts";
import { semverVersions } from "../../versions/semver/version.ts";
import { nextSemver } from "../nodejs/updater.ts";
import { type Comparison, complementOf, intervalOf, rangesOf } from "./version-intervals.ts";

const version = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 2 }), fc.constantFrom("", "-0", "-rc"))
  .map(([minor, patch, pre]) => `1.${minor}.${patch}${pre}`);
const comparison = fc.record({ operator: fc.constantFrom<Comparison["operator"]>("<", "<=", "=", ">", ">="), version });

function holds({ operator, version: limit }: Comparison, installed: string): boolean {
  const order = semverVersions.compare(semverVersions.parse(installed), semverVersions.parse(limit));
  return order === 0 ? operator.includes("=") : operator.startsWith(order < 0 ? "<" : ">");
}

const isIn = (installed: string, ranges: ReturnType<typeof rangesOf>) =>
  findRange(semverVersions, installed, { ranges, versions: [] }).kind === "in-range";

describe("complementOf", () => {
  it("and the intervals hold every version once", () => {
    const sets = fc.array(fc.array(comparison, { minLength: 1, maxLength: 3 }), { maxLength: 4 });
    fc.assert(
      fc.property(sets, version, (requirements, installed) => {
        const intervals = requirements.flatMap((each) => intervalOf(semverVersions, each) ?? []);
        const isSafe = requirements.some((each) => each.every((one) => holds(one, installed)));

        expect(isIn(installed, rangesOf(intervals, nextSemver))).toBe(isSafe);
        expect(isIn(installed, rangesOf(complementOf(semverVersions, intervals), nextSemver))).toBe(!isSafe);
      }),
    );
  });
});

describe("intervalOf", () => {
  it.each<[string, Comparison[]]>([
    [
      "crossed",
      [
        { operator: ">=", version: "2.0.0" },
        { operator: "<", version: "1.0.0" },
      ],
    ],
    [
      "touching",
      [
        { operator: ">=", version: "1.0.0" },
        { operator: "<", version: "1.0.0" },
      ],
    ],
  ])("is nothing for %s bounds", (_, comparisons) => {
    expect(intervalOf(semverVersions, comparisons)).toBeUndefined();
  });
});
