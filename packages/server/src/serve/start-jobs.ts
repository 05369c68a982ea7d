import { type JobHandler, type Store, startJobWorker, systemTime } from "@plimsoll/store";
import type { Logger } from "pino";
import type { ServiceSettings } from "../config/service-settings.ts";
import type { WorkFigures } from "../metrics/work-figures.ts";
import { logDeadJobs } from "./log-jobs.ts";
import { onceWritable, unlessOutage } from "./open-database.ts";

/** The background work of one service. */
export interface ServiceJobs<DB> {
  readonly store: Store<DB>;
  readonly handlers: Readonly<Record<string, JobHandler>>;
  /** Writes what is to run at regular times. */
  readonly schedule: () => Promise<void>;
  readonly settings: Pick<ServiceSettings, "jobLeaseSeconds">;
  readonly logger: Logger;
  readonly figures: Pick<WorkFigures, "noteJob">;
}

/** Writes the schedules of a service as soon as the database takes them, and runs its jobs until `resources` is disposed of. */
export async function startJobs<DB>(jobs: ServiceJobs<DB>, resources: AsyncDisposableStack): Promise<void> {
  const { store, handlers, schedule, settings, logger, figures } = jobs;
  const logDead = logDeadJobs(logger);
  const onTrouble = unlessOutage((err) => logger.error({ err }, "jobs_failed"));
  await onceWritable(schedule, resources, onTrouble);
  const worker = startJobWorker({
    store,
    handlers,
    leaseSeconds: settings.jobLeaseSeconds,
    ...systemTime,
    onTrouble,
    onEvent(event) {
      logDead(event);
      figures.noteJob(event);
    },
  });
  resources.defer(() => worker.stop());
}
