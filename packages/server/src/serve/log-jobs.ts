import type { JobEvent } from "@plimsoll/store";
import type { Logger } from "pino";

/** Logs jobs that are given up: what fails now and then is tried again, and needs no attention. */
export function logDeadJobs(logger: Pick<Logger, "error">): (event: JobEvent) => void {
  return ({ kind, job, error }) => {
    if (kind === "dead") logger.error({ job: job.kind, attempts: job.attempts, err: error }, "job_given_up");
  };
}
