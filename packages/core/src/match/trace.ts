import type { Trace } from "../plugins/matcher.ts";

/** One step of reaching a verdict. */
export interface TraceStep {
  /** The name of the rule: `versions`, `module`. */
  readonly rule: string;
  /** The comparison and its result, in plain words. */
  readonly detail: string;
}

/** A trace that keeps its steps. */
export interface RecordedTrace extends Trace {
  readonly steps: readonly TraceStep[];
}

/** Makes an empty trace. */
export function recordTrace(): RecordedTrace {
  const steps: TraceStep[] = [];
  return { steps, step: (rule, detail) => void steps.push({ rule, detail }) };
}
