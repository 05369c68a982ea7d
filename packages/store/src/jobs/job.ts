import type { Json } from "@plimsoll/core/report";

/** The states of a job. A job that succeeded is removed; a recurring one waits for its next run. */
export const jobStates = ["waiting", "running", "dead"] as const;

/** One of {@link jobStates}. */
export type JobState = (typeof jobStates)[number];

/** A unit of work that is done at least once, even if processes end during it. */
export interface Job {
  /** A UUID, the same in every attempt. It can be the idempotency key of requests to other systems. */
  readonly id: string;
  /** The name of its declaration: `notifier.deliver`. */
  readonly kind: string;
  /** At most one job with this key waits or runs. */
  readonly uniqueKey?: string;
  readonly payload: Json;
  /** The tenant; tenants of a kind take turns. Empty for kinds without tenants. */
  readonly tenant: string;
  readonly state: JobState;
  /** Epoch milliseconds: when it may run; for a running job, the end of its lease; for a dead one, when it died. */
  readonly dueAt: number;
  /** The number of started attempts, including the running one. An attempt that is restarted because its worker was lost counts once. */
  readonly attempts: number;
  /** How often the worker of the current attempt was lost: its process was killed, or it could not renew its lease. */
  readonly losses: number;
  readonly maxAttempts: number;
  /** For a recurring job: the time from the end of one run to the start of the next, varied by up to a tenth. */
  readonly everyMs?: number;
  /** When it expires, if it has not run until then. Epoch milliseconds. */
  readonly expiresAt?: number;
  /** Why the last attempt failed. */
  readonly lastError?: string;
  readonly createdAt: number;
  /** When the running or the last attempt started. Epoch milliseconds. */
  readonly startedAt?: number;
}

/** The parts of a new job's row. */
export interface JobParts {
  readonly kind: string;
  readonly payload: Json;
  readonly uniqueKey: string | undefined;
  /** Empty for kinds without tenants. */
  readonly tenant: string;
  readonly maxAttempts: number;
  readonly staleAfterSeconds: number | undefined;
  /** Epoch milliseconds; undefined means now. */
  readonly runAt: number | undefined;
}

/**
 * A job that is not enqueued yet. Only `of` of a declared kind creates one, so every enqueued job has a handler.
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
  /** Makes the type nominal, so that object literals are not accepted. */
  protected readonly isDeclared = true;

  constructor(parts: JobParts) {
    this.parts = parts;
  }
}

/** A job whose lease is held by an attempt. */
export interface ClaimedJob extends Job {
  /** The id of this attempt. An attempt that takes the job over has another one. */
  readonly owner: string;
}

/**
 * Thrown by a handler for a job that no further attempt could do. The job becomes a dead letter at once.
 * @example
 * import { Type } from "typebox";
 *
 * const callHook = job({
 *   kind: "call-hook",
 *   payload: Type.Object({ url: Type.String() }),
 *   handle: async ({ payload }) => {
 *     if (!URL.canParse(payload.url)) throw new JobRejected("the hook has no address"); // the job is not tried again
 *   },
 * });
 */
export class JobRejected extends Error {
  override readonly name = "JobRejected";
}

/**
 * Thrown by a handler for a job whose next attempt must not start before a time that another system has named. The attempt has failed, and
 * counts as any other. The longer of this wait and the back-off applies; a recurring job waits at most until its next run.
 * @example
 * const askShop = job({
 *   kind: "ask-shop",
 *   handle: async () => {
 *     const { status, headers } = await fetch("https://shop.example/orders");
 *     const seconds = Number(headers.get("retry-after") ?? 0);
 *     if (status === 429) throw new JobDelayed("the shop limits the rate of requests", { waitMs: 1000 * seconds });
 *   },
 * });
 */
export class JobDelayed extends Error {
  override readonly name = "JobDelayed";
  /** The shortest time to the next attempt, in milliseconds. */
  readonly waitMs: number;

  constructor(message: string, { waitMs, cause }: { readonly waitMs: number; readonly cause?: unknown }) {
    super(message, { cause });
    this.waitMs = waitMs;
  }
}
