import type { Json } from "@plimsoll/core";

/** Where a job is. One that is done is gone; one that recurs waits for its next turn. */
export const jobStates = ["waiting", "running", "dead"] as const;

/** One of {@link jobStates}. */
export type JobState = (typeof jobStates)[number];

/** Work that is done at least once, whatever happens to the processes that do it. */
export interface Job {
  /** UUID. The same in every attempt: what a handler gives to others as its idempotency key. */
  readonly id: string;
  /** Which handler does it: `notifier.deliver`. */
  readonly kind: string;
  /** No two jobs that wait or run have the same. */
  readonly uniqueKey?: string;
  readonly payload: Json;
  readonly state: JobState;
  /** Epoch milliseconds: when it may run; while it runs, when its lease ends; once it is dead, when it died. */
  readonly dueAt: number;
  /** Begun so far, the running one included. */
  readonly attempts: number;
  readonly maxAttempts: number;
  /** Of a job that recurs: from the end of one run to the beginning of the next, give or take a tenth. */
  readonly everyMs?: number;
  /** Why the last attempt failed. */
  readonly lastError?: string;
  readonly createdAt: number;
}

/** A job to be. */
export interface NewJob {
  readonly kind: string;
  /** Null where absent. */
  readonly payload?: Json;
  readonly uniqueKey?: string;
  /** Now where absent. */
  readonly runAt?: number;
  /** 12 where absent: with the usual back-off about three hours. */
  readonly maxAttempts?: number;
}

/** A job that recurs. It never dies: when its attempts are used up it waits for its next turn. */
export interface NewSchedule extends Omit<NewJob, "uniqueKey"> {
  readonly uniqueKey: string;
  readonly everyMs: number;
}

/** A job that an attempt holds the lease of. */
export interface TakenJob extends Job {
  /** Names this attempt: whoever takes the job over has another. */
  readonly owner: string;
}

/** Thrown by a handler for a job that no further attempt would get done: it is dead at once. */
export class JobRejected extends Error {
  override readonly name = "JobRejected";
}
