/** Functions for every version scheme: sorting, the highest version, and whether a range contains a version. */
import { type AdvisoryRange, type AdvisoryRule, commitBound } from "../model/advisory.ts";
import type { VersionScheme } from "../plugins/version-scheme.ts";
import { compareStated, compareText, findVersion, type Order } from "../versions/define-order.ts";

export { compareText };

/**
 * The versions in ascending order; equal ones stay in the given order.
 * @throws ScanError `malformed_version`
 * @example
 * declare const scheme: VersionScheme;
 * const sorted = sortVersions(scheme, ["1.10-1", "1.2-1"]);
 */
export function sortVersions<V>(scheme: VersionScheme<V>, texts: Iterable<string>): string[] {
  const parsed = Array.from(texts, (text) => ({ text, version: scheme.parse(text) }));
  return parsed.sort((a, b) => scheme.compare(a.version, b.version)).map(({ text }) => text);
}

/**
 * The highest version, the first of equal ones; undefined of none.
 * @throws ScanError `malformed_version`
 * @example
 * declare const scheme: VersionScheme;
 * const latest = maxVersion(scheme, ["1.2-1", "1.10-1"]);
 */
export function maxVersion<V>(scheme: VersionScheme<V>, texts: Iterable<string>): string | undefined {
  let highest: { readonly text: string; readonly version: V } | undefined;
  for (const text of texts) {
    const version = scheme.parse(text);
    if (highest === undefined || scheme.compare(version, highest.version) > 0) highest = { text, version };
  }
  return highest?.text;
}

/** The result of comparing an installed version with ranges and listed versions. */
export type RangeFinding =
  /** The first range that contains the version. */
  | { readonly kind: "in-range"; readonly range: AdvisoryRule["ranges"][number] }
  /** The version is equal to the listed `version`. */
  | { readonly kind: "listed"; readonly version: string }
  | { readonly kind: "outside" }
  /** The installed version is not valid in the scheme, and no range contains all versions. */
  | { readonly kind: "malformed-installed" }
  /** No range contains the version, but one with this malformed bound might. */
  | { readonly kind: "malformed-bound"; readonly bound: string };

/**
 * Decides whether an advisory's ranges and listed versions include an installed version. A malformed bound of one range does
 * not hide another range or the listed versions. Listed versions are compared by the scheme and by their text.
 * @see https://ossf.github.io/osv-schema/#evaluation
 * @example
 * declare const scheme: VersionScheme;
 * const { kind } = findRange(scheme, "1.2-1", { ranges: [{ introduced: "0", fixed: "1.2-2" }], versions: [] });
 */
export function findRange<V>(
  scheme: VersionScheme<V>,
  installed: string,
  { ranges, versions }: Pick<AdvisoryRule, "ranges" | "versions">,
): RangeFinding {
  return findRangeOf({ scheme, text: installed, version: findVersion(scheme, installed) }, ranges, versions);
}

/** An installed version that is compared with many advisories. */
export interface Installed<V = unknown> {
  readonly scheme: VersionScheme<V>;
  readonly text: string;
  /** Undefined where `text` is not valid in the scheme. */
  readonly version: V | undefined;
}

/** {@link findRange} for a version that is parsed already. */
export function findRangeOf<V>(
  installed: Installed<V>,
  ranges: readonly AdvisoryRange[],
  versions: readonly string[],
): RangeFinding {
  let doubt: RangeFinding | undefined;
  for (let index = 0; index < ranges.length; index++) {
    const finding = findInRange(installed, ranges[index] ?? {});
    if (finding.kind === "in-range") return finding;
    if (finding.kind !== "outside") doubt ??= finding;
  }
  if (versions.length === 0) return doubt ?? isOutside;
  const listed = findListed(installed, versions);
  if (listed !== undefined) return { kind: "listed", version: listed };
  return installed.version === undefined ? isMalformed : (doubt ?? isOutside);
}

/**
 * Whether ranges state that every version is affected and no version has a fix. A range with a fix has precedence over one
 * without, which was written earlier.
 */
export function isUnpatched(ranges: readonly AdvisoryRange[]): boolean {
  return ranges.some(isUnbounded) && !ranges.some(({ fixed }) => fixed !== undefined);
}

/**
 * The ranges without those that have no fix while another has one; see {@link isUnpatched}. For feeds of distributions only
 * (`Matcher.fixesOverrule`): in other records, every range counts.
 */
export function settledRanges(ranges: readonly AdvisoryRange[]): readonly AdvisoryRange[] {
  if (!ranges.some(isUnbounded)) return ranges;
  const fixes = ranges.filter((range) => !isUnbounded(range));
  return fixes.some(({ fixed }) => fixed !== undefined) ? fixes : ranges;
}

function isUnbounded({ introduced, fixed, lastAffected, below }: AdvisoryRange): boolean {
  if (fixed !== undefined || lastAffected !== undefined || below !== undefined) return false;
  return introduced === undefined || introduced === "0";
}

const isOutside: RangeFinding = { kind: "outside" };
const isMalformed: RangeFinding = { kind: "malformed-installed" };

/** Compares with each bound. `introduced: "0"` is not a bound: it is below every version, prereleases included. */
function findInRange<V>({ scheme, version }: Installed<V>, range: AdvisoryRange): RangeFinding {
  const { lastAffected } = range;
  const end = range.fixed ?? range.below;
  const introduced = range.introduced === "0" ? undefined : range.introduced;
  if (introduced === undefined && end === undefined && lastAffected === undefined) return { kind: "in-range", range };
  if (version === undefined) return isMalformed;
  const fromIntroduced = introduced === undefined ? 1 : compareBound(scheme, version, introduced);
  if (fromIntroduced === -1) return isOutside;
  const fromEnd = end === undefined ? -1 : compareBound(scheme, version, end);
  if (fromEnd === 0 || fromEnd === 1) return isOutside;
  const fromLast = lastAffected === undefined ? -1 : compareBound(scheme, version, lastAffected);
  if (fromLast === 1) return isOutside;
  if (lastAffected !== undefined && fromLast === undefined) return { kind: "malformed-bound", bound: lastAffected };
  if (end !== undefined && fromEnd === undefined) return { kind: "malformed-bound", bound: end };
  if (introduced !== undefined && fromIntroduced === undefined) return { kind: "malformed-bound", bound: introduced };
  return { kind: "in-range", range };
}

/** Compares the version with a bound; undefined where the bound is malformed, or a commit. */
function compareBound<V>(scheme: VersionScheme<V>, version: V, bound: string): Order | undefined {
  const limit = bound.startsWith(commitBound) ? undefined : findVersion(scheme, bound);
  return limit === undefined ? undefined : compareStated(scheme, version, limit);
}

function findListed<V>({ scheme, text, version }: Installed<V>, versions: readonly string[]): string | undefined {
  if (versions.includes(text)) return text;
  if (version === undefined) return undefined;
  return versions.find((listed) => compareBound(scheme, version, listed) === 0);
}
