import type { RunnableJob } from "./declare-job.ts";
import { onJobEvent } from "./job-events.ts";
import { beginNextJob, type RunJobsOptions, runNextJob } from "./run-next-job.ts";
import { followSchedules, type Schedule } from "./schedules.ts";

/** Options of {@link startJobWorker}. */
export interface JobWorkerOptions<DB> extends Omit<RunJobsOptions<DB>, "signal"> {
  /** Schedules of recurring jobs, evaluated at the start and every minute. */
  readonly schedules?: readonly Schedule<DB>[];
  /** Slots that `normal` and `bulk` kinds share. 4 by default. */
  readonly concurrency?: number;
  /** How long an idle worker waits before it polls again. Jobs that its own process enqueues wake it. 1000 by default. */
  readonly pollMs?: number;
  /** Called if the queue cannot be used. The worker continues and tries again. */
  readonly onTrouble?: (error: unknown) => void;
}

/** A worker that runs until it is stopped. */
export interface JobWorker {
  /**
   * Claims no more jobs, and waits for running ones. After the grace period (10 s by default) their signals are aborted, and they return to
   * the queue. Resolves when no job runs any more.
   */
  stop(options?: { readonly graceMs?: number }): Promise<void>;
}

/**
 * Starts a worker. It runs jobs of the most urgent class first, and within a class the job that has been due for the longest time.
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
 * const worker = startJobWorker({ store, jobs: [buildTree.withContext({})], ...systemTime });
 * await worker.stop({ graceMs: 10_000 });
 */
export function startJobWorker<DB>(options: JobWorkerOptions<DB>): JobWorker {
  const worker = new Worker(options);
  const idle = worker.work();
  return {
    async stop({ graceMs = 10_000 } = {}) {
      worker.stopClaiming();
      const ended = new AbortController();
      await Promise.race([idle, options.sleep(graceMs, ended.signal)]);
      worker.abortRunning();
      ended.abort();
      await idle;
    },
  };
}

/** How often schedules are evaluated. */
const followEveryMs = 60_000;

class Worker<DB> {
  readonly #options: JobWorkerOptions<DB>;
  readonly #stopping = new AbortController();
  readonly #aborting = new AbortController();
  readonly #running = new Map<Promise<void>, RunnableJob>();
  #wake = new AbortController();
  #followedAt = Number.NEGATIVE_INFINITY;

  constructor(options: JobWorkerOptions<DB>) {
    this.#options = options;
  }

  stopClaiming(): void {
    this.#stopping.abort();
    this.#wake.abort();
  }

  abortRunning(): void {
    this.#aborting.abort(new Error("the worker stops"));
  }

  async work(): Promise<void> {
    const { store, jobs, pollMs = 1_000, sleep, onTrouble } = this.#options;
    const kinds = new Set(jobs.map(({ kind }) => kind));
    const removeListener = onJobEvent(store, ({ kind, job }) => {
      if ((kind === "enqueued" || kind === "retried") && kinds.has(job.kind)) this.#wake.abort();
    });
    while (!this.#stopping.signal.aborted) {
      this.#wake = new AbortController();
      const began = await this.#takeOne().catch((error: unknown) => {
        onTrouble?.(error);
        return false;
      });
      if (!began && !this.#stopping.signal.aborted) await sleep(pollMs, this.#wake.signal);
    }
    removeListener();
    while (this.#running.size > 0) await Promise.all(this.#running.keys());
  }

  async #takeOne(): Promise<boolean> {
    await this.#follow();
    const jobs = freeKinds(this.#options, [...this.#running.values()]);
    if (jobs.length === 0) return false;
    const begun = await beginNextJob({ ...this.#options, jobs, signal: this.#aborting.signal });
    if (begun === undefined) return false;
    const { onTrouble } = this.#options;
    const ended = begun.ended
      .catch((error: unknown) => onTrouble?.(error))
      .then(() => {
        this.#running.delete(ended);
        this.#wake.abort();
      });
    this.#running.set(ended, begun.runnable);
    return true;
  }

  async #follow(): Promise<void> {
    const { schedules = [], store, clock, onTrouble } = this.#options;
    if (schedules.length === 0 || clock.now() - this.#followedAt < followEveryMs) return;
    this.#followedAt = clock.now();
    for (const each of schedules) {
      // A failing schedule does not keep other jobs from running.
      await followSchedules(store, [each], clock).catch((error: unknown) => onTrouble?.(error));
    }
  }
}

const usualKindConcurrency = 2;

/** The kinds that have a free slot, both of their own and of the shared ones. */
function freeKinds<DB>(
  { jobs, concurrency = 4 }: JobWorkerOptions<DB>,
  running: readonly RunnableJob[],
): readonly RunnableJob[] {
  const shared = running.filter((each) => classOf(each) !== "urgent");
  const maxOfClass = Math.max(1, concurrency - 1);
  return jobs.filter((each) => {
    const own = running.filter(({ kind }) => kind === each.kind).length;
    if (own >= (each.concurrency ?? usualKindConcurrency)) return false;
    if (classOf(each) === "urgent") return true;
    const ofClass = shared.filter((other) => classOf(other) === classOf(each)).length;
    return shared.length < concurrency && ofClass < maxOfClass;
  });
}

function classOf({ priority = "normal" }: RunnableJob): NonNullable<RunnableJob["priority"]> {
  return priority;
}

/**
 * Runs all due jobs, one after another.
 * @returns the number of jobs that ran
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
 * const count = await runDueJobs({ store, jobs: [buildTree.withContext({})], ...systemTime });
 */
export async function runDueJobs<DB>(options: RunJobsOptions<DB>): Promise<number> {
  let count = 0;
  while (await runNextJob(options)) count++;
  return count;
}
