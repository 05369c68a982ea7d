import type { JobEvent, JobEventKind, OnJobEvent } from "@plimsoll/store";
import type { Logger } from "pino";

/** What needs attention; everything else is `info`. */
const levels: Partial<Readonly<Record<JobEventKind, "warn" | "error">>> = {
  dead: "error",
  expired: "warn",
  failed: "warn",
  lost: "warn",
};

/**
 * Logs what happens to jobs: a line for each event, named `job_EVENT`. The payload is not logged: it may hold secrets.
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
      ...(job.attempts > 0 && { attempt: job.attempts, of: job.maxAttempts }),
      ...(from !== undefined && { seconds: Math.round(now() - from) / 1000 }),
      ...reasonOf(kind, error),
    };
    logger[levels[kind] ?? "info"](line, `job_${kind}`);
  };
}

/** With its stack where the job is given up: a failure now and then passes. */
function reasonOf(kind: JobEvent["kind"], error: unknown) {
  if (error === undefined) return {};
  if (kind === "dead") return { err: error };
  return { reason: error instanceof Error ? error.message : String(error) };
}
