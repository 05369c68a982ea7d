/**
 * Sets of versions from requirements of package managers. Comparisons that must all hold are an interval; several intervals
 * are a set.
 */
import type { AdvisoryRange } from "../../model/advisory.ts";
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { compareText } from "../../versions/define-order.ts";

/** One comparison with a version. */
export interface Comparison {
  readonly operator: "<" | "<=" | "=" | ">" | ">=";
  readonly version: string;
}

/** An end of an interval. */
interface Bound {
  readonly version: string;
  readonly inclusive: boolean;
}

/** The versions between two ends; without an end, all versions on that side. */
export interface Interval {
  readonly from?: Bound;
  readonly to?: Bound;
}

/**
 * The versions for which all comparisons hold; undefined where there are none.
 * @throws ScanError `malformed_version`
 */
export function intervalOf(scheme: VersionScheme, comparisons: readonly Comparison[]): Interval | undefined {
  let interval: Interval = {};
  for (const { operator, version } of comparisons) {
    scheme.parse(version);
    const bound = { version, inclusive: operator.includes("=") };
    if (operator !== "<" && operator !== "<=")
      interval = { ...interval, from: innermost(scheme, { known: interval.from, other: bound }, 1) };
    if (operator !== ">" && operator !== ">=")
      interval = { ...interval, to: innermost(scheme, { known: interval.to, other: bound }, -1) };
  }
  return isEmpty(scheme, interval) ? undefined : interval;
}

/** The narrower of two bounds on the same side: the higher of lower ends (`side` 1), the lower of upper ends (-1). */
function innermost(
  scheme: VersionScheme,
  { known, other: bound }: { readonly known: Bound | undefined; readonly other: Bound },
  side: 1 | -1,
): Bound {
  if (known === undefined) return bound;
  const order = compareText(scheme, bound.version, known.version) * side;
  if (order === 0) return known.inclusive ? bound : known;
  return order > 0 ? bound : known;
}

function isEmpty(scheme: VersionScheme, { from, to }: Interval): boolean {
  if (from === undefined || to === undefined) return false;
  const order = compareText(scheme, from.version, to.version);
  return order > 0 || (order === 0 && !(from.inclusive && to.inclusive));
}

/** The versions that are in none of the intervals, as intervals in ascending order. */
export function complementOf(scheme: VersionScheme, intervals: readonly Interval[]): readonly Interval[] {
  const sorted = [...intervals].sort((a, b) => compareFrom(scheme, a.from, b.from));
  const gaps: Interval[] = [];
  let from: Bound | undefined; // where the next gap begins; undefined at the lowest version
  for (const interval of sorted) {
    const gap = { from, to: interval.from && opposite(interval.from) };
    if (interval.from !== undefined && !isEmpty(scheme, gap)) gaps.push(gap);
    if (interval.to === undefined) return gaps;
    const end = opposite(interval.to);
    from = from === undefined ? end : innermost(scheme, { known: from, other: end }, 1);
  }
  return [...gaps, from === undefined ? {} : { from }];
}

/** An interval without a lower end comes first; of two with the same lower end, the inclusive one. */
function compareFrom(scheme: VersionScheme, a: Bound | undefined, b: Bound | undefined): number {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  return compareText(scheme, a.version, b.version) || Number(b.inclusive) - Number(a.inclusive);
}

function opposite({ version, inclusive }: Bound): Bound {
  return { version, inclusive: !inclusive };
}

/** The ranges of intervals. `next` returns the version directly above one, since ranges include their first version. */
export function rangesOf(intervals: readonly Interval[], next: (version: string) => string): readonly AdvisoryRange[] {
  return intervals.map(({ from, to }) => ({
    introduced: from && (from.inclusive ? from.version : next(from.version)),
    ...(to !== undefined && (to.inclusive ? { lastAffected: to.version } : { fixed: to.version })),
  }));
}
