import { type AdvisoryRange, type AdvisoryRule, commitBound } from "../model/advisory.ts";
import type { NotAffectedReason, Trace, UndecidedReason, Verdict } from "../plugins/matcher.ts";
import { findRangeOf, type Installed, type RangeFinding } from "./range.ts";

/** An installed version and an advisory about its package. */
export interface VersionCase {
  readonly advisory: AdvisoryRule;
  readonly installed: Installed;
  readonly trace: Trace | undefined;
  /** The ranges that count; absent: all of the advisory. */
  readonly ranges?: readonly AdvisoryRange[];
}

/**
 * Judges by the version alone, after all other rules: a version is covered if any range or the list of versions covers it.
 * @see https://ossf.github.io/osv-schema/#evaluation
 */
export function judgeVersion(at: VersionCase): Verdict {
  const { advisory, installed, trace, ranges = advisory.ranges } = at;
  const { scheme, text } = installed;
  if (text === "") {
    trace?.step("version-unknown", "the package has no version");
    return undecided("version-unknown");
  }
  const finding = findRangeOf(installed, ranges, advisory.versions);
  switch (finding.kind) {
    case "in-range":
    case "listed":
      return covered(at, finding);
    case "outside":
      return outside(at);
    case "malformed-installed":
      trace?.step("malformed-package-version", `${text} is not a ${scheme.name} version`);
      return undecided("malformed-package-version");
    case "malformed-bound":
      if (finding.bound.startsWith(commitBound)) {
        trace?.step(
          "malformed-package-version",
          `the advisory only names commits, with which ${text} is not comparable`,
        );
        return undecided("malformed-package-version");
      }
      trace?.step("malformed-advisory-version", `${finding.bound} is not a ${scheme.name} version`);
      return undecided("malformed-advisory-version");
  }
}

type CoveringFinding = RangeFinding & { readonly kind: "in-range" | "listed" };

function covered({ advisory, installed, trace }: VersionCase, finding: CoveringFinding): Verdict {
  const version = installed.text;
  switch (advisory.status) {
    case "not-affected":
      trace?.step("vendor-statement", `${where(version, finding)}, which the vendor states is not affected`);
      return notAffected("vendor-statement");
    case "undetermined":
      trace?.step("vendor-undetermined", `${where(version, finding)}, which the vendor has not decided yet`);
      return undecided("vendor-undetermined");
    case "affected": {
      const fixed = finding.kind === "in-range" ? finding.range.fixed : undefined;
      trace?.step(
        "versions",
        `${where(version, finding)}: affected, ${fixed === undefined ? "no fix is known" : `fixed in ${fixed}`}`,
      );
      return fixed === undefined ? { kind: "affected" } : { kind: "affected", fixedInVersion: fixed };
    }
  }
}

function where(version: string, finding: CoveringFinding): string {
  return `${version} is ${finding.kind === "listed" ? "listed by the advisory" : `in ${describeRange(finding.range)}`}`;
}

function outside({ advisory: { ranges }, installed, trace }: VersionCase): Verdict {
  const fix = fixOf(ranges, installed);
  if (fix !== undefined) {
    trace?.step("fixed", `${installed.text} is not below ${fix}, which has the fix`);
    return notAffected("fixed");
  }
  trace?.step("outside-range", `${installed.text} is not in ${ranges.map(describeRange).join(", ") || "any range"}`);
  return notAffected("outside-range");
}

/** The first fix that the version includes. */
function fixOf(ranges: readonly AdvisoryRange[], installed: Installed): string | undefined {
  for (const { introduced, fixed } of ranges) {
    if (fixed === undefined) continue;
    if (introduced === undefined || findRangeOf(installed, [{ introduced: fixed }], []).kind === "in-range")
      return fixed;
  }
  return undefined;
}

/** The verdict that an advisory does not apply. */
export function notAffected(reason: NotAffectedReason): Verdict {
  return { kind: "not-affected", reason };
}

/** The verdict that it is unknown whether an advisory applies. */
export function undecided(reason: UndecidedReason): Verdict {
  return { kind: "undecided", reason };
}

/** A range in words: `all versions below 1.2-3`. */
function describeRange({ introduced, fixed, lastAffected, below }: AdvisoryRange): string {
  const from = introduced === undefined || introduced === "0" ? undefined : `from ${introduced}`;
  const end = fixed ?? below;
  const until = end === undefined ? lastAffected && `up to ${lastAffected}` : `below ${end}`;
  const words = [from, until].filter((word) => word !== undefined);
  return words.length === 0 ? "all versions" : `all versions ${words.join(" ")}`;
}
