import { type RunJobsOptions, runNextJob } from "./run-next-job.ts";

/** What a worker needs. */
export interface JobWorkerOptions<DB> extends Omit<RunJobsOptions<DB>, "signal"> {
  /** Jobs at a time. 4 where absent. */
  readonly concurrency?: number;
  /** How long an idle worker waits before it looks again. 1000 where absent. */
  readonly pollMs?: number;
  /** The queue itself could not be used: the worker goes on and tries again. */
  readonly onTrouble?: (error: unknown) => void;
}

/** A worker that runs until it is stopped. */
export interface JobWorker {
  /**
   * Takes no further job and waits for those that run; after the grace their signal is aborted and they go back to the
   * queue. Resolves when nothing runs any more.
   */
  stop(options?: { readonly graceMs?: number }): Promise<void>;
}

/** Starts to run the jobs that have a handler, the one that has been due longest first. */
export function startJobWorker<DB>(options: JobWorkerOptions<DB>): JobWorker {
  const { concurrency = 4, pollMs = 1_000, sleep, onTrouble } = options;
  const stopping = new AbortController();
  const aborting = new AbortController();
  const running = { ...options, signal: aborting.signal };

  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      const ran = await runNextJob(running).catch((error: unknown) => {
        onTrouble?.(error);
        return false;
      });
      if (!ran) await sleep(pollMs, stopping.signal);
    }
  }

  const idle = Promise.all(Array.from({ length: concurrency }, work));
  return {
    async stop({ graceMs = 10_000 } = {}) {
      stopping.abort();
      const ended = new AbortController();
      await Promise.race([idle, sleep(graceMs, ended.signal)]);
      aborting.abort(new Error("the worker stops"));
      ended.abort();
      await idle;
    },
  };
}

/** Runs what is due, one job after another, until nothing is. @returns how many jobs ran */
export async function runDueJobs<DB>(options: RunJobsOptions<DB>): Promise<number> {
  let ran = 0;
  while (await runNextJob(options)) ran++;
  return ran;
}
