import type { JobEvent, JobEventKind, OnJobEvent } from "@plimsoll/store";
import type { Logger } from "pino";

/** The log levels of events that need attention; others are `info`. */
const levels: Partial<Readonly<Record<JobEventKind, "warn" | "error">>> = {
  dead: "error",
  expired: "warn",
  failed: "warn",
  lost: "warn",
};

/**
 * Logs events of jobs: a line for each event, named `job_EVENT`. The payload is not logged, because it may contain secrets.
 * @param now a clock that never goes back, in milliseconds
 */
export function logJobs(logger: Pick<Logger, "info" | "warn" | "error">, now = () => performance.now()): OnJobEvent {
  const startedAt = new Map<string, number>();
  return ({ kind, job, error }) => {
    const from = startedAt.get(job.id);
    if (kind === "started") startedAt.set(job.id, now());
    else startedAt.delete(job.id);
    const line = {
      job: job.kind,
      id: job.id,
      ...(job.attempts > 0 && { attempt: job.attempts, maxAttempts: job.maxAttempts }),
      seconds: from === undefined ? undefined : Math.round(now() - from) / 1000,
      ...reasonOf(kind, error),
    };
    logger[levels[kind] ?? "info"](line, `job_${kind}`);
  };
}

/** The error, with its stack only if the job is given up; occasional failures are normal. */
function reasonOf(kind: JobEvent["kind"], error: unknown) {
  if (error === undefined) return {};
  if (kind === "dead") return { err: error };
  return { reason: error instanceof Error ? error.message : String(error) };
}
