export { compileOnce, type Parameter, type RunCompiled } from "./compile-once.ts";
export type { PostgresOptions, StorePatience } from "./dialects/postgres.ts";
export {
  cannotUse,
  isOutage,
  publicMessage,
  StoreError,
  type StoreErrorCode,
  storeErrorCodes,
  takesNoChanges,
} from "./errors.ts";
export { fairTurns } from "./fair-turns.ts";
export { type HoldLockOptions, holdLock } from "./hold-lock.ts";
export { ifWritable } from "./if-writable.ts";
export { type BackOff, backOffMs, usualBackOff } from "./jobs/back-off.ts";
export { type Clock, cancelJob, enqueueJob, newJobs, scheduleJob, withdrawJobs } from "./jobs/enqueue-job.ts";
export { type Job, JobRejected, type JobState, jobStates, type NewJob, type NewSchedule } from "./jobs/job.ts";
export { type JobWorker, type JobWorkerOptions, runDueJobs, startJobWorker } from "./jobs/job-worker.ts";
export {
  countJobs,
  deleteDeadJob,
  type JobCount,
  type ListJobsOptions,
  listJobs,
  retryDeadJob,
} from "./jobs/list-jobs.ts";
export {
  type JobContext,
  type JobEvent,
  type JobHandler,
  type RunJobsOptions,
  runNextJob,
} from "./jobs/run-next-job.ts";
export { systemTime } from "./jobs/system-time.ts";
export { parseStoreLocation, type StoreLocation } from "./location.ts";
export type { ClusterLock, LockHolder, LockOptions } from "./locks.ts";
export { makeFolders } from "./make-folders.ts";
export type { Migration, MigrationSet } from "./migrate.ts";
export { type OpenStoreOptions, openStore } from "./open.ts";
export { isPipe, readPipe } from "./open-pipe.ts";
export type { PreparedRead, SqlParameter, SqlRow, SqlValue, Store, StoreKind } from "./store.ts";
export { together, type UnsentStatement } from "./together.ts";
export { oneAtATime, transactionLock } from "./transaction.ts";
export type { OnTrouble, StoreTrouble } from "./trouble.ts";
export { type Constraint, violatedConstraint } from "./violated-constraint.ts";
