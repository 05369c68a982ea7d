import type { Json } from "@plimsoll/core";

/** The states of a job. A job that succeeded is removed; a recurring one waits for its next turn. */
export const jobStates = ["waiting", "running", "dead"] as const;

/** One of {@link jobStates}. */
export type JobState = (typeof jobStates)[number];

/** A unit of work that is done at least once, even when processes end in the middle of it. */
export interface Job {
  /** UUID, the same in every attempt: an idempotency key for requests to other systems. */
  readonly id: string;
  /** The name of its declaration: `notifier.deliver`. */
  readonly kind: string;
  /** At most one job with this key waits or runs. */
  readonly uniqueKey?: string;
  readonly payload: Json;
  /** Jobs of a kind are taken from the tenants in turn. Empty for kinds without tenants. */
  readonly tenant: string;
  readonly state: JobState;
  /** Epoch milliseconds: when it may run; of a running job the end of its lease; of a dead one when it died. */
  readonly dueAt: number;
  /** Attempts that have begun, the running one included. One that is begun again because its worker was lost is the same attempt. */
  readonly attempts: number;
  /** How often the worker of the current attempt was lost: its process was killed, or it could not renew its lease. */
  readonly losses: number;
  readonly maxAttempts: number;
  /** Of a recurring job: from the end of one run to the beginning of the next, give or take a tenth. */
  readonly everyMs?: number;
  /** From when on it is too old to be run, epoch milliseconds. */
  readonly expiresAt?: number;
  /** Why the last attempt failed. */
  readonly lastError?: string;
  readonly createdAt: number;
  /** When the running attempt began, or the last one. Epoch milliseconds. */
  readonly startedAt?: number;
}

/** What the row of a job is made of. */
export interface JobParts {
  readonly kind: string;
  readonly payload: Json;
  readonly uniqueKey: string | undefined;
  /** Empty for kinds without tenants. */
  readonly tenant: string;
  readonly maxAttempts: number;
  readonly staleAfterSeconds: number | undefined;
  /** Epoch milliseconds; now where undefined. */
  readonly runAt: number | undefined;
}

/**
 * A job to be. Only `of` of a declared kind makes one, so that every job that is enqueued has a handler.
 * @example
 * import { Type } from "typebox";
 *
 * declare const store: Store<unknown>;
 * const buildTree = job({
 *   kind: "build-tree",
 *   payload: Type.Object({ root: Type.String() }),
 *   key: ({ root }) => root,
 *   handle: async ({ payload }) => console.log(payload.root),
 * });
 * const waiting: NewJob = buildTree.of({ root: "oak" });
 * await enqueueJob(store.db, waiting, systemTime.clock);
 */
export class NewJob {
  readonly parts: JobParts;
  /** Makes the type nominal: no object literal is one. */
  protected readonly isDeclared = true;

  constructor(parts: JobParts) {
    this.parts = parts;
  }
}

/** A job whose lease is held by an attempt. */
export interface TakenJob extends Job {
  /** Names this attempt: an attempt that takes the job over has another. */
  readonly owner: string;
}

/**
 * Thrown by a handler for a job that no further attempt would get done: it is dead at once.
 * @example
 * import { Type } from "typebox";
 *
 * const callHook = job({
 *   kind: "call-hook",
 *   payload: Type.Object({ url: Type.String() }),
 *   handle: async ({ payload }) => {
 *     if (!URL.canParse(payload.url)) throw new JobRejected("the hook has no address"); // it is not tried again
 *   },
 * });
 */
export class JobRejected extends Error {
  override readonly name = "JobRejected";
}
