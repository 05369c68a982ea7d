export { compileBoth, type RunBoth } from "./compile-both.ts";
export { type BuildQuery, compileOnce, type Parameter, type RunCompiled } from "./compile-once.ts";
export { cooperativeYield } from "./cooperative-yield.ts";
export { type CopyDatabaseOptions, copyDatabase } from "./copy/copy-database.ts";
export { isPipe, readPipe } from "./dialects/open-pipe.ts";
export type { PostgresOptions, StorePatience } from "./dialects/postgres.ts";
export type { LogDisk } from "./dialects/wal-frames.ts";
export {
  cannotUse,
  cannotWrite,
  ifWritable,
  isOutage,
  publicMessage,
  StoreError,
  type StoreErrorCode,
  storeErrorCodes,
} from "./errors.ts";
export { hasCode } from "./has-code.ts";
export { type HoldLockOptions, holdLock } from "./hold-lock.ts";
export { inBackground } from "./in-background.ts";
export { type BackOff, backOffMs, usualBackOff } from "./jobs/back-off.ts";
export { type AnyJobKind, type CancelJobOptions, cancelJob, cancelJobById, withdrawJobs } from "./jobs/cancel-job.ts";
export {
  type CancelledJob,
  type DeclaredJob,
  type GivenUpJob,
  type JobAttempt,
  type JobDeclaration,
  type JobIdentity,
  type JobKind,
  type JobOptions,
  type JobPriority,
  type JobRules,
  job,
  jobKeyOf,
  jobPriorities,
  type NoPayload,
  type RunnableJob,
} from "./jobs/declare-job.ts";
export { type Clock, enqueueJob, newJobs } from "./jobs/enqueue-job.ts";
export { type Job, JobDelayed, type JobParts, JobRejected, type JobState, jobStates, type NewJob } from "./jobs/job.ts";
export {
  type JobEvent,
  type JobEventKind,
  jobEventKinds,
  type OnJobEvent,
  onJobEvent,
  tellJobEvents,
} from "./jobs/job-events.ts";
export { type JobWorker, type JobWorkerOptions, runDueJobs, startJobWorker } from "./jobs/job-worker.ts";
export {
  type CountJobsOptions,
  countJobs,
  findJob,
  findLiveJob,
  type JobCount,
  type ListJobsOptions,
  listJobs,
} from "./jobs/list-jobs.ts";
export { deleteDeadJob, jobRefusals, retryDeadJob } from "./jobs/manage-jobs.ts";
export { DeadlinePassed } from "./jobs/run-attempt.ts";
export { type AroundAttempt, type EndedAttempt, type RunJobsOptions, runNextJob } from "./jobs/run-next-job.ts";
export {
  endRecurrence,
  every,
  followSchedules,
  hastenRecurrence,
  putRecurrence,
  type Recurrence,
  type Schedule,
  schedule,
} from "./jobs/schedules.ts";
export { systemTime } from "./jobs/system-time.ts";
export { parseStoreLocation, type StoreLocation } from "./location.ts";
export type { ClusterLock, LockHolder, LockOptions } from "./locks.ts";
export { makeFolders, syncPath } from "./make-folders.ts";
export type { Migration, MigrationSet, ReplacedSteps } from "./migrate.ts";
export { type OpenStoreOptions, openStore } from "./open.ts";
export { runForRows } from "./run-for-rows.ts";
export {
  type BuildSchema,
  type SchemaStatement,
  type SchemaTools,
  schemaMigration,
  schemaTools,
} from "./schema-migration.ts";
export { type Flight, type SingleFlightOptions, singleFlight, usualLeaseSeconds } from "./single-flight.ts";
export { nextShortRead, turnOfBody } from "./slice-queue.ts";
export type { PreparedRead, SqlParameter, SqlRow, SqlValue, Store, StoreKind } from "./store.ts";
export { together, type UnsentStatement } from "./together.ts";
export { type OneAtATimeOptions, oneAtATime, transactionLock } from "./transaction.ts";
export type { OnTrouble, StoreTrouble } from "./trouble.ts";
export { type Constraint, violatedConstraint } from "./violated-constraint.ts";
