import type { Trace } from "../plugins/matcher.ts";
import type { Judgement } from "./judgement.ts";

/** One step of reaching a verdict. */
export type TraceStep = Judgement["steps"][number];

/** A trace that keeps its steps. */
export interface RecordedTrace extends Trace {
  readonly steps: readonly TraceStep[];
}

/** Makes an empty trace. */
export function recordTrace(): RecordedTrace {
  const steps: TraceStep[] = [];
  return { steps, step: (rule, detail) => void steps.push({ rule, detail }) };
}
