import type { Tracer } from "@opentelemetry/api";
import { type RunnableJob, type Schedule, type Store, startJobWorker, systemTime } from "@plimsoll/store";
import type { Logger } from "pino";
import type { ServiceSettings } from "../config/service-settings.ts";
import { traceAttempts } from "../tracing/trace-attempts.ts";
import { onceWritable, unlessOutage } from "./open-database.ts";
import { reportCancelledJob } from "./report-cancelled-job.ts";

/** The background work of one service. */
export interface ServiceJobs<DB> {
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
