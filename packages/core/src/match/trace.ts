import type { Trace } from "../plugins/matcher.ts";

/** One step on the way to a verdict. */
export interface TraceStep {
  /** The rule in one or two words: `versions`, `module`. */
  readonly rule: string;
  /** What was compared and what came out, in plain words. */
  readonly detail: string;
}

/** A trace that keeps its steps. */
export interface RecordedTrace extends Trace {
  readonly steps: readonly TraceStep[];
}

/** An empty trace. */
export function recordTrace(): RecordedTrace {
  const steps: TraceStep[] = [];
  return { steps, step: (rule, detail) => void steps.push({ rule, detail }) };
}
