import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { compareText } from "../../versions/define-order.ts";
import type { Interval } from "../shared/version-intervals.ts";

/**
 * Replaces the last affected version of intervals by the first patched version above it, if that is not above the next affected
 * interval: `<=1.4.2` with `>=1.4.3` patched is fixed in 1.4.3.
 */
export function withFixes(
  scheme: VersionScheme,
  affected: readonly Interval[],
  patched: readonly Interval[],
): readonly Interval[] {
  const isAbove = (a: string, b: string) => compareText(scheme, a, b) > 0;
  const lowest = (versions: readonly string[]) =>
    versions.reduce<string | undefined>(
      (low, each) => (low === undefined || isAbove(low, each) ? each : low),
      undefined,
    );
  return affected.map((interval) => {
    const { to } = interval;
    if (!to?.inclusive) return interval;
    const starts = (intervals: readonly Interval[]) =>
      lowest(
        intervals.flatMap(({ from }) =>
          from !== undefined && isAbove(from.version, to.version) ? [from.version] : [],
        ),
      );
    const fix = starts(patched.filter(({ from }) => from?.inclusive));
    const next = starts(affected);
    const isFix = fix !== undefined && (next === undefined || !isAbove(fix, next));
    return isFix ? { ...interval, to: { version: fix, inclusive: false } } : interval;
  });
}
