import type { Kysely } from "kysely";
import { StoreError } from "../errors.ts";
import type { Store } from "../store.ts";
import { type AttemptResult, afterAttempt } from "./after-attempt.ts";
import type { RunnableJob } from "./declare-job.ts";
import type { Clock } from "./enqueue-job.ts";
import { type ClaimedJob, type Job, JobDelayed, JobRejected } from "./job.ts";
import { holderOf, renewLease, settleJob, withCurrentInterval } from "./lease-job.ts";

/** Options of {@link Attempt}. */
export interface AttemptOptions<DB> {
  readonly store: Store<DB>;
  readonly runnable: RunnableJob;
  readonly job: ClaimedJob;
  readonly clock: Clock;
  readonly random: () => number;
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
  readonly leaseMs: number;
  /** Stops the attempt: the job returns to the queue as if it had never started. */
  readonly signal?: AbortSignal;
}

/** How an attempt ended. */
export interface AttemptEnd {
  readonly result: AttemptResult;
  readonly error?: unknown;
}

/** How often a running attempt checks whether its job was cancelled. */
const pollMs = 500;

const usualTimeoutSeconds = 3_600;

/** How long a handler may take to end after its signal was aborted. Then its attempt ends without it. */
const abandonMs = 10_000;

/** The same for a cancelled job. With {@link pollMs}, an attempt ends within a second after its job is cancelled. */
const abandonCancelledMs = 250;

/** One call of a handler. Meanwhile, the lease is renewed, and cancellation and deadline are checked. */
export class Attempt<DB> {
  readonly #options: AttemptOptions<DB>;
  readonly #stopping = new AbortController();
  readonly #ended = new AbortController();
  readonly #abandoned = Promise.withResolvers<never>();
  readonly #beganAt: number;
  /** Whether the handler has ended the job with `finishIn`. */
  isFinished = false;
  #abandonedAt: number | undefined;
  #leaseEndsAt: number;

  constructor(options: AttemptOptions<DB>) {
    this.#options = options;
    this.#beganAt = options.clock.now();
    this.#leaseEndsAt = options.job.dueAt;
  }

  async run(): Promise<AttemptEnd> {
    const watching = this.#watch();
    try {
      await Promise.race([this.#callHandler(), this.#abandoned.promise]);
      return { result: { kind: "done" } };
    } catch (error) {
      return { result: this.#resultOf(error), error };
    } finally {
      this.#ended.abort();
      await watching;
    }
  }

  async #callHandler(): Promise<void> {
    const { runnable, job, signal } = this.#options;
    const signals = signal === undefined ? [this.#stopping.signal] : [this.#stopping.signal, signal];
    const { payload } = job;
    await runnable.run({
      job,
      payload,
      signal: AbortSignal.any(signals),
      finishIn: (transaction) => this.#finishIn(transaction),
    });
  }

  async #finishIn<Any>(transaction: Kysely<Any>): Promise<void> {
    const { job, clock, random } = this.#options;
    const current = await withCurrentInterval(transaction, job);
    const settlement = afterAttempt(current, { kind: "done" }, { now: clock.now(), random: random() });
    if (!(await settleJob(transaction, job, settlement))) throw leaseLost(job);
    this.isFinished = true;
  }

  #resultOf(error: unknown): AttemptResult {
    if (error instanceof JobRejected) return { kind: "rejected", error: textOf(error) };
    const { reason } = this.#stopping.signal;
    if (reason instanceof DeadlinePassed) return { kind: "failed", error: textOf(reason) };
    if (this.#options.signal?.aborted) return { kind: "released" };
    return { kind: "failed", error: textOf(error), waitMs: error instanceof JobDelayed ? error.waitMs : undefined };
  }

  /** Why the lease is not held any more. */
  async lossOf(): Promise<"cancelled" | "lost"> {
    const { store, job, clock } = this.#options;
    if (clock.now() >= this.#leaseEndsAt) return "lost";
    return (await holderOf(store.db, job)) === "gone" ? "cancelled" : "lost";
  }

  async #watch(): Promise<void> {
    const { clock, sleep, leaseMs } = this.#options;
    let renewedAt = this.#beganAt;
    let isHeld = true;
    while (!this.#ended.signal.aborted) {
      await sleep(Math.min(isHeld ? pollMs : abandonCancelledMs, leaseMs / 3), this.#ended.signal);
      if (this.#ended.signal.aborted || this.isFinished) continue;
      const now = clock.now();
      this.#endIfLate(now);
      if (!isHeld) continue;
      const isRenewal = now - renewedAt >= leaseMs / 3;
      isHeld = await this.#keep(isRenewal ? now + leaseMs : undefined);
      if (isHeld && isRenewal) renewedAt = now;
    }
  }

  #endIfLate(now: number): void {
    const { timeoutSeconds = usualTimeoutSeconds } = this.#options.runnable;
    if (now - this.#beganAt >= timeoutSeconds * 1_000) this.#stop(new DeadlinePassed(timeoutSeconds));
    const isAbandoned = this.#abandonedAt !== undefined && now >= this.#abandonedAt;
    if (isAbandoned) this.#abandoned.reject(this.#stopping.signal.reason);
  }

  /** Checks whether the lease is held, and extends it to `endsAt`. Stops the attempt if it is not held. */
  async #keep(endsAt: number | undefined): Promise<boolean> {
    const { store, job, clock } = this.#options;
    try {
      const isHeld =
        endsAt === undefined ? (await holderOf(store.db, job)) === "held" : await renewLease(store.db, job, endsAt);
      if (isHeld) this.#leaseEndsAt = endsAt ?? this.#leaseEndsAt;
      else if ((await this.lossOf()) === "cancelled") this.#stop(cancelled(job), abandonCancelledMs);
      else this.#stop(leaseLost(job));
      return isHeld;
    } catch {
      // While the lease lasts, a short outage of the database is no loss.
      if (clock.now() < this.#leaseEndsAt) return true;
      this.#stop(leaseLost(job));
      return false;
    }
  }

  #stop(reason: Error, patienceMs = abandonMs): void {
    if (this.#stopping.signal.aborted) return;
    this.#abandonedAt = this.#options.clock.now() + patienceMs;
    this.#stopping.abort(reason);
  }
}

/**
 * The abort reason of an attempt that did not end before its deadline.
 * @example
 * declare const attempt: JobAttempt;
 * const isLate = attempt.signal.reason instanceof DeadlinePassed;
 */
export class DeadlinePassed extends Error {
  constructor(timeoutSeconds: number) {
    super(`it did not end within ${timeoutSeconds} seconds`);
  }
}

function cancelled({ kind, id }: Job): StoreError {
  return new StoreError("lock_lost", `the job ${kind} ${id} was cancelled`);
}

function leaseLost({ kind, id }: Job): StoreError {
  return new StoreError("lock_lost", `the lease of the job ${kind} ${id} was lost: another worker may have it`);
}

/** The limit of a stored error message. */
const maxErrorLength = 2_000;

function textOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, maxErrorLength);
}
