/** What can be asked of every order of versions: sorting, the highest, and whether a range speaks of a version. */
import type { AdvisoryRange } from "../model/advisory.ts";
import type { VersionScheme } from "../plugins.ts";
import { compareText, findVersion, type Order } from "../versions/define-order.ts";

export { compareText };

/**
 * The versions in ascending order; equal ones stay in the given order.
 * @throws ScanError `malformed_version`
 */
export function sortVersions<V>(scheme: VersionScheme<V>, texts: Iterable<string>): string[] {
  const parsed = Array.from(texts, (text) => ({ text, version: scheme.parse(text) }));
  return parsed.sort((a, b) => scheme.compare(a.version, b.version)).map(({ text }) => text);
}

/**
 * The highest version, the first of equal ones; undefined of none.
 * @throws ScanError `malformed_version`
 */
export function maxVersion<V>(scheme: VersionScheme<V>, texts: Iterable<string>): string | undefined {
  let highest: { readonly text: string; readonly version: V } | undefined;
  for (const text of texts) {
    const version = scheme.parse(text);
    if (highest === undefined || scheme.compare(version, highest.version) > 0) highest = { text, version };
  }
  return highest?.text;
}

/** What a set of ranges and versions says of an installed version. */
export type RangeFinding =
  /** The first range that contains the version. */
  | { readonly kind: "in-range"; readonly range: AdvisoryRange }
  /** The version is one of those listed, which stands there as `version`. */
  | { readonly kind: "listed"; readonly version: string }
  | { readonly kind: "outside" }
  /** The installed version is none in the scheme, and nothing speaks of every version. */
  | { readonly kind: "malformed-installed" }
  /** Nothing contains the version, but a range with this bound might. */
  | { readonly kind: "malformed-bound"; readonly bound: string };

/**
 * Says whether an advisory's ranges and listed versions speak of an installed version. A malformed bound of one range does
 * not hide another range, nor the listed versions. Listed versions are equal as the scheme has it, or by their text.
 * @see https://ossf.github.io/osv-schema/#evaluation
 */
export function findRange<V>(
  scheme: VersionScheme<V>,
  installed: string,
  ranges: readonly AdvisoryRange[],
  versions: readonly string[],
): RangeFinding {
  const version = findVersion(scheme, installed);
  let doubt: RangeFinding | undefined;
  for (const range of ranges) {
    const finding = findInRange(scheme, version, range);
    if (finding.kind === "in-range") return finding;
    if (finding.kind !== "outside") doubt ??= finding;
  }
  const listed = versions.includes(installed) ? installed : findEqual(scheme, version, versions);
  if (listed !== undefined) return { kind: "listed", version: listed };
  if (version === undefined && versions.length > 0) return { kind: "malformed-installed" };
  return doubt ?? { kind: "outside" };
}

function findInRange<V>(scheme: VersionScheme<V>, version: V | undefined, range: AdvisoryRange): RangeFinding {
  const limits = limitsOf(range);
  if (version === undefined && limits.length > 0) return { kind: "malformed-installed" };
  let malformed: string | undefined;
  for (const { bound, allows } of limits) {
    const limit = findVersion(scheme, bound);
    if (limit === undefined) malformed = bound;
    else if (version !== undefined && !allows(scheme.compare(version, limit))) return { kind: "outside" };
  }
  return malformed === undefined ? { kind: "in-range", range } : { kind: "malformed-bound", bound: malformed };
}

/** A bound, and how a version within it compares with it. */
interface Limit {
  readonly bound: string;
  readonly allows: (order: Order) => boolean;
}

/** The bounds that a range has. Being introduced in `0` is none: it is below every version, prereleases included. */
function limitsOf({ introduced, fixed, lastAffected }: AdvisoryRange): readonly Limit[] {
  const limits: Limit[] = [];
  if (introduced !== undefined && introduced !== "0") limits.push({ bound: introduced, allows: isNotLess });
  if (fixed !== undefined) limits.push({ bound: fixed, allows: isLess });
  if (lastAffected !== undefined) limits.push({ bound: lastAffected, allows: isNotGreater });
  return limits;
}

const isLess = (order: Order) => order < 0;
const isNotLess = (order: Order) => order >= 0;
const isNotGreater = (order: Order) => order <= 0;

function findEqual<V>(scheme: VersionScheme<V>, version: V | undefined, texts: readonly string[]): string | undefined {
  if (version === undefined) return undefined;
  return texts.find((text) => {
    const other = findVersion(scheme, text);
    return other !== undefined && scheme.compare(version, other) === 0;
  });
}
