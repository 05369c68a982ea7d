import { setTimeout as delay } from "node:timers/promises";
import type { RunJobsOptions } from "./run-next-job.ts";

/** The system's clock, random numbers and timers, for workers. */
export const systemTime: Pick<RunJobsOptions<unknown>, "clock" | "random" | "sleep"> = {
  clock: { now: () => Date.now() },
  random: () => Math.random(),
  sleep: async (delayMs, signal) => {
    await delay(delayMs, undefined, { signal }).catch(() => undefined);
  },
};
