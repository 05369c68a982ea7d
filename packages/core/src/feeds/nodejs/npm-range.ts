import Range from "semver/classes/range.js";
import { parse, semverVersions } from "../../versions/semver/version.ts";
import { malformedRecord } from "../shared/malformed-feed.ts";
import { type Comparison, type Interval, intervalOf } from "../shared/version-intervals.ts";

/**
 * The versions of an npm range, always including prereleases. None where there is no range.
 * @throws ScanError `malformed_feed`
 * @see https://github.com/npm/node-semver#range-grammar
 */
export function npmIntervals(text: string | undefined): readonly Interval[] {
  if (text === undefined) return [];
  return comparisonSets(text).flatMap((comparisons) => intervalOf(semverVersions, comparisons) ?? []);
}

function comparisonSets(text: string): readonly (readonly Comparison[])[] {
  try {
    const { set } = new Range(text, { loose: true, includePrerelease: true });
    return set.map((comparators) => comparators.flatMap(({ operator, semver }) => comparisonOf(operator, semver)));
  } catch {
    throw malformedRecord(`no npm range ${JSON.stringify(text.slice(0, 200))}`);
  }
}

/** A comparator that accepts any version has no version. */
function comparisonOf(operator: "" | "<" | "<=" | "=" | ">" | ">=", semver: unknown): readonly Comparison[] {
  const version = typeof semver === "object" && semver !== null && "version" in semver ? semver.version : undefined;
  return typeof version === "string" ? [{ operator: operator || "=", version }] : [];
}

/** The lowest version above another: `1.2.4-0` of `1.2.3`, `1.2.3-rc.0` of `1.2.3-rc`. */
export function nextSemver(version: string): string {
  const { major, minor, patch, prerelease } = parse(version);
  if (prerelease.length > 0) return `${major}.${minor}.${patch}-${[...prerelease, "0"].join(".")}`;
  return `${major}.${minor}.${patch + 1}-0`;
}
