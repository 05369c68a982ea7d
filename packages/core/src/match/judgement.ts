import type { AdvisoryRule } from "../model/advisory.ts";
import type { IndexRecord, Verdict } from "../plugins/matcher.ts";
import type { TraceStep } from "./trace.ts";

/** A verdict on one package and one advisory. */
export interface Judgement<V extends Verdict = Verdict> {
  readonly record: IndexRecord;
  readonly advisory: AdvisoryRule;
  /** The name of the matcher. */
  readonly matcher: string;
  readonly verdict: V;
  /** The steps to the verdict; empty unless a trace was requested. */
  readonly steps: readonly TraceStep[];
}

/** The verdict that a package is affected. */
export type AffectedVerdict = Extract<Verdict, { readonly kind: "affected" }>;

/** The verdict that a package is not affected. */
export type NotAffectedVerdict = Extract<Verdict, { readonly kind: "not-affected" }>;

/** The verdict on a package that could not be judged. */
export type UndecidedVerdict = Extract<Verdict, { readonly kind: "undecided" }>;
