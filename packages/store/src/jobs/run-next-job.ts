import type { Kysely } from "kysely";
import { StoreError } from "../errors.ts";
import type { Store } from "../store.ts";
import { type AttemptResult, afterAttempt, type Settlement } from "./after-attempt.ts";
import type { BackOff } from "./back-off.ts";
import type { Clock } from "./enqueue-job.ts";
import { type Job, JobRejected, type TakenJob } from "./job.ts";
import { renewLease, settleJob, takeJob } from "./lease-job.ts";

/** What a handler is given. */
export interface JobContext {
  readonly job: Job;
  /** Aborted when the lease is lost or the worker must stop: what is done after that counts for nothing. */
  readonly signal: AbortSignal;
  /**
   * Marks the job as done in the handler's own transaction, so that its effect there happens exactly once.
   * @throws StoreError `lock_lost` when another worker has taken the job over; the transaction must then fail
   */
  finishIn<DB>(transaction: Kysely<DB>): Promise<void>;
}

/**
 * Does the jobs of one kind. It is called at least once for each job, again after a crash: it must be idempotent, or end
 * with {@link JobContext.finishIn}. When it throws the job is tried again later; {@link JobRejected} ends it at once.
 */
export type JobHandler = (context: JobContext) => Promise<void>;

/** What happened to a job. `lost`: the lease ran out, or the job was cancelled, before the attempt ended. */
export interface JobEvent {
  readonly kind: "began" | "done" | "failed" | "dead" | "released" | "lost";
  readonly job: Job;
  readonly error?: unknown;
}

/** What running jobs needs. */
export interface RunJobsOptions<DB> {
  readonly store: Store<DB>;
  /** By the kind of their jobs. */
  readonly handlers: Readonly<Record<string, JobHandler>>;
  /** Of all nodes on one database the clocks agree to within a few seconds: less than half a lease. */
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Resolves after that time, or as soon as the signal is aborted. */
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  /** After how long without a heartbeat another worker takes a job over. 60 where absent. */
  readonly leaseSeconds?: number;
  readonly backOff?: BackOff;
  /** Stops what runs: the job goes back to the queue as if never begun. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: JobEvent) => void;
}

/** Runs one job that is due. @returns false when there is none */
export async function runNextJob<DB>(options: RunJobsOptions<DB>): Promise<boolean> {
  const { store, handlers, clock, onEvent } = options;
  const leaseMs = leaseMsOf(options);
  const job = await takeJob(store, { kinds: Object.keys(handlers), now: clock.now(), leaseMs });
  if (job === undefined) return false;
  if (job.attempts > job.maxAttempts) {
    const error = "its worker was lost in the last attempt that it had";
    await settle(options, job, { kind: "failed", error }, error);
    return true;
  }
  onEvent?.({ kind: "began", job });
  const attempt = new Attempt(options, job);
  const { result, error } = await attempt.run();
  if (attempt.isFinished && result.kind === "done") onEvent?.({ kind: "done", job });
  else await settle(options, job, result, error);
  return true;
}

async function settle<DB>(
  options: RunJobsOptions<DB>,
  job: TakenJob,
  result: AttemptResult,
  error: unknown,
): Promise<void> {
  const settlement = afterAttempt(job, result, circumstancesOf(options));
  const isHeld = await settleJob(options.store.db, job, settlement);
  const kind = isHeld ? eventKind(result, settlement) : "lost";
  options.onEvent?.({ kind, job, ...(error !== undefined && { error }) });
}

function eventKind(result: AttemptResult, settlement: Settlement): JobEvent["kind"] {
  if (settlement.kind === "bury") return "dead";
  return result.kind === "rejected" ? "failed" : result.kind;
}

function circumstancesOf<DB>({ clock, random, backOff }: RunJobsOptions<DB>) {
  return { now: clock.now(), random: random(), ...(backOff !== undefined && { backOff }) };
}

function leaseMsOf<DB>({ leaseSeconds = 60 }: RunJobsOptions<DB>): number {
  return leaseSeconds * 1_000;
}

interface AttemptEnd {
  readonly result: AttemptResult;
  readonly error?: unknown;
}

/** One call of a handler, with the heartbeat beside it. */
class Attempt<DB> {
  readonly #options: RunJobsOptions<DB>;
  readonly #job: TakenJob;
  readonly #lost = new AbortController();
  readonly #ended = new AbortController();
  /** Whether the handler marked the job as done itself. */
  isFinished = false;

  constructor(options: RunJobsOptions<DB>, job: TakenJob) {
    this.#options = options;
    this.#job = job;
  }

  async run(): Promise<AttemptEnd> {
    const heartbeat = this.#keepLease();
    try {
      await this.#callHandler();
      return { result: { kind: "done" } };
    } catch (error) {
      return { result: this.#resultOf(error), error };
    } finally {
      this.#ended.abort();
      await heartbeat;
    }
  }

  async #callHandler(): Promise<void> {
    const { handlers, signal } = this.#options;
    const signals = signal === undefined ? [this.#lost.signal] : [this.#lost.signal, signal];
    await handlers[this.#job.kind]?.({
      job: this.#job,
      signal: AbortSignal.any(signals),
      finishIn: (transaction) => this.#finishIn(transaction),
    });
  }

  async #finishIn<Any>(transaction: Kysely<Any>): Promise<void> {
    const settlement = afterAttempt(this.#job, { kind: "done" }, circumstancesOf(this.#options));
    if (!(await settleJob(transaction, this.#job, settlement))) throw leaseLost(this.#job);
    this.isFinished = true;
  }

  #resultOf(error: unknown): AttemptResult {
    if (error instanceof JobRejected) return { kind: "rejected", error: textOf(error) };
    if (this.#options.signal?.aborted) return { kind: "released" };
    return { kind: "failed", error: textOf(error) };
  }

  async #keepLease(): Promise<void> {
    const { clock, sleep, store } = this.#options;
    const leaseMs = leaseMsOf(this.#options);
    let expiresAt = this.#job.dueAt;
    while (!this.#ended.signal.aborted) {
      await sleep(leaseMs / 3, this.#ended.signal);
      if (this.#ended.signal.aborted) return;
      const next = clock.now() + leaseMs;
      // A database out of reach for a moment is no loss as long as the lease lasts.
      const isHeld = await renewLease(store.db, this.#job, next).catch(() => undefined);
      if (isHeld) expiresAt = next;
      else if (isHeld === false || clock.now() >= expiresAt) return this.#lost.abort(leaseLost(this.#job));
    }
  }
}

function leaseLost({ kind, id }: Job): StoreError {
  return new StoreError("lock_lost", `the lease of the job ${kind} ${id} was lost: another worker may have it`);
}

/** Enough to see what went wrong. */
const maxErrorLength = 2_000;

function textOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, maxErrorLength);
}
