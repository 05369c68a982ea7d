import { type BackOff, backOffMs, spreadMs } from "./back-off.ts";
import type { Job } from "./job.ts";

/** How an attempt ended. A released one was stopped by its worker and does not count. */
export type AttemptResult =
  | { readonly kind: "done" }
  /** With the shortest time to the next attempt, if the handler names one. */
  | { readonly kind: "failed"; readonly error: string; readonly waitMs?: number }
  | { readonly kind: "rejected"; readonly error: string }
  | { readonly kind: "released" };

/** The change of a job's row after an attempt. */
export type Settlement =
  | { readonly kind: "remove" }
  | { readonly kind: "wait"; readonly dueAt: number; readonly attempts: number; readonly lastError?: string }
  | { readonly kind: "bury"; readonly dueAt: number; readonly lastError: string };

/** The time, a random number from 0 to below 1, and the kind's back-off. */
export interface Circumstances {
  readonly now: number;
  readonly random: number;
  readonly backOff?: BackOff;
}

type Attempted = Pick<Job, "attempts" | "maxAttempts" | "everyMs" | "lastError">;

/**
 * The state machine of jobs, a pure function.
 *
 * | result | attempts left | recurs | next state |
 * | --- | --- | --- | --- |
 * | done | | no | removed |
 * | done | | yes | waits for its next run |
 * | released | | | waits, due now, as if never started |
 * | failed | yes | no | waits for its back-off, or for the longer time that it names |
 * | failed | yes | yes | the same, but at most until its next run |
 * | failed | no | no | dead |
 * | failed | no | yes | waits for its next run, and keeps its error |
 * | rejected | | | as failed without attempts left |
 */
export function afterAttempt(job: Attempted, result: AttemptResult, circumstances: Circumstances): Settlement {
  const { now, random, backOff } = circumstances;
  switch (result.kind) {
    case "done":
      return job.everyMs === undefined ? { kind: "remove" } : nextTurn(job.everyMs, circumstances);
    case "released": {
      const error = job.lastError === undefined ? {} : { lastError: job.lastError };
      return { kind: "wait", dueAt: now, attempts: job.attempts - 1, ...error };
    }
    case "failed": {
      if (job.attempts >= job.maxAttempts) return givenUp(job, result.error, circumstances);
      const ownMs = Math.max(backOffMs(job.attempts, random, backOff), result.waitMs ?? 0);
      const delayMs = Math.min(ownMs, job.everyMs ?? Number.POSITIVE_INFINITY);
      return { kind: "wait", dueAt: now + delayMs, attempts: job.attempts, lastError: result.error };
    }
    case "rejected":
      return givenUp(job, result.error, circumstances);
  }
}

function nextTurn(everyMs: number, { now, random }: Circumstances) {
  return { kind: "wait", dueAt: now + spreadMs(everyMs, random), attempts: 0 } as const;
}

function givenUp({ everyMs }: Attempted, lastError: string, circumstances: Circumstances): Settlement {
  if (everyMs === undefined) return { kind: "bury", dueAt: circumstances.now, lastError };
  return { ...nextTurn(everyMs, circumstances), lastError };
}
