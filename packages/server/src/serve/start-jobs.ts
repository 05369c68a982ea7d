import { context, ROOT_CONTEXT, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";
import {
  type AroundAttempt,
  type EndedAttempt,
  type Job,
  type JobEventKind,
  job,
  type OnJobEvent,
  type RunnableJob,
  type Schedule,
  type Store,
  startJobWorker,
  systemTime,
  tellJobEvents,
} from "@plimsoll/store";
import type { Logger } from "pino";
import { Type } from "typebox";
import type { ServiceSettings } from "../config/service-settings.ts";
import { onceWritable, unlessOutage } from "./open-database.ts";

/** The background work of one service. */
interface ServiceJobs<DB> {
  readonly store: Store<DB>;
  readonly jobs: readonly RunnableJob[];
  readonly schedules: readonly Schedule<unknown>[];
  /** Prepares the queue: writes the recurring jobs. */
  readonly schedule: () => Promise<void>;
  readonly settings: Pick<ServiceSettings, "jobLeaseSeconds">;
  readonly logger: Logger;
  /** How running attempts are stopped; by default after the worker's usual grace period. */
  readonly stop?: { readonly graceMs: number };
  /** Without it, attempts are not traced. */
  readonly tracer?: Tracer | undefined;
}

/** Writes the schedules of a service as soon as the database is writable, and runs its jobs until `resources` is disposed. */
export async function startJobs<DB>(service: ServiceJobs<DB>, resources: AsyncDisposableStack): Promise<void> {
  const { store, jobs, schedules, schedule, settings, logger, tracer, stop } = service;
  const onTrouble = unlessOutage((err) => logger.error({ err }, "jobs_failed"));
  await onceWritable(schedule, resources, onTrouble);
  const worker = startJobWorker({
    store,
    jobs: [...jobs, reportCancelledJob.withContext({ store: store as Store<unknown> })],
    schedules,
    leaseSeconds: settings.jobLeaseSeconds,
    ...systemTime,
    onTrouble,
    aroundAttempt: tracer && traceAttempts(tracer),
  });
  resources.defer(() => worker.stop(stop));
}

/** The log levels of events that need attention; others are `info`. */
const levels: Partial<Readonly<Record<JobEventKind, "warn" | "error">>> = {
  dead: "error",
  expired: "warn",
  failed: "warn",
  lost: "warn",
};

/** Where the line of an event has its error. A job that is given up has it with its stack; occasional failures are normal. */
const causes: Partial<Readonly<Record<JobEventKind, "err" | "reason">>> = {
  dead: "err",
  ...{ cancelled: "reason", expired: "reason", failed: "reason", lost: "reason", released: "reason" },
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

function reasonOf(kind: JobEventKind, error: unknown) {
  const cause = causes[kind];
  if (error === undefined || cause === undefined) return {};
  return cause === "err" ? { err: error } : { reason: error instanceof Error ? error.message : String(error) };
}

/**
 * Reports a cancelled job to the log and the metrics of a server. A command enqueues it after cancelling a waiting job, because a command
 * has neither. A running job is reported by its own worker.
 */
export const reportCancelledJob = job({
  kind: "server.report-cancelled-job",
  payload: Type.Object({
    id: Type.String(),
    kind: Type.String(),
    dueAt: Type.Integer(),
    attempts: Type.Integer(),
    maxAttempts: Type.Integer(),
  }),
  staleAfterSeconds: 86_400,
  async handle({ payload }, { store }: { readonly store: Store<unknown> }) {
    tellJobEvents(store.db, [{ kind: "cancelled", job: payload }]);
  },
});

/** The payload for a cancelled job. */
export function cancelledJobOf({ id, kind, dueAt, attempts, maxAttempts }: Job) {
  return { id, kind, dueAt, attempts, maxAttempts };
}

/** Starts a new trace for each attempt of a job, with a span named by the job's kind. It has no payload, which may contain secrets. */
export function traceAttempts(tracer: Tracer): AroundAttempt {
  return async <End extends EndedAttempt>(
    { id, kind, attempts }: Parameters<AroundAttempt>[0],
    run: () => Promise<End>,
  ): Promise<End> => {
    const attributes = { "plimsoll.job.id": id, "plimsoll.job.attempt": attempts };
    const span = tracer.startSpan(kind, { root: true, attributes }, ROOT_CONTEXT);
    try {
      const end = await context.with(trace.setSpan(ROOT_CONTEXT, span), run);
      const { result, error } = end;
      span.setAttribute("plimsoll.job.outcome", result.kind);
      if (result.kind === "failed" || result.kind === "rejected") {
        span.setAttribute("error.type", error instanceof Error ? error.name : "unknown");
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      return end;
    } finally {
      span.end();
    }
  };
}
