import type { AdvisoryRule } from "../model/advisory.ts";
import type { PackageFact, Problem } from "../model/index-report.ts";
import type { IndexRecord, Verdict } from "../plugins/matcher.ts";

/** A verdict on one package and one advisory: `Judgement<"affected">`. */
export interface Judgement<Kind extends Verdict["kind"] = Verdict["kind"]> {
  readonly record: IndexRecord;
  readonly advisory: AdvisoryRule;
  /** The name of the matcher. */
  readonly matcher: string;
  readonly verdict: Verdict & { readonly kind: Kind };
  /** The steps to the verdict; empty unless a trace was requested. */
  readonly steps: readonly {
    /** The name of the rule: `versions`, `module`. */
    readonly rule: string;
    /** The comparison and its result, in plain words. */
    readonly detail: string;
  }[];
}

/** The result of matching. */
export interface MatchResult {
  readonly affected: readonly Judgement<"affected">[];
  readonly undecided: readonly Judgement<"undecided">[];
  /** Empty unless tracing. */
  readonly notAffected: readonly Judgement<"not-affected">[];
  /** The number of not-affected verdicts, with or without tracing. */
  readonly notAffectedCount: number;
  /** Verdicts that repeat another verdict on the same package; empty unless tracing. */
  readonly repeated: readonly Judgement[];
  /** Packages that cannot be judged, because facts about them are not known. */
  readonly undecidedRecords: readonly {
    readonly record: IndexRecord;
    readonly facts: readonly PackageFact[];
  }[];
  /** Matchers that failed. */
  readonly problems: readonly Problem[];
}
