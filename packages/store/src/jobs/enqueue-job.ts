import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { NewJob, NewSchedule } from "./job.ts";
import { type JobRow, withJobs } from "./job-tables.ts";

/** What tells the time. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

const usualMaxAttempts = 12;

/**
 * Puts a job in the queue. Given a transaction it joins it: the job exists exactly when the rest of the transaction does.
 * @returns the job's id; undefined when a job with its unique key waits or runs already
 */
export async function enqueueJob<DB>(db: Kysely<DB>, job: NewJob, clock: Clock): Promise<string | undefined> {
  return insertRow(db, rowOf(job, clock.now()));
}

/**
 * As {@link enqueueJob} for several jobs, to be run together with other statements; nothing where there is none. Those whose
 * unique key waits or runs already are left out.
 */
export function newJobs<DB>(db: Kysely<DB>, jobs: readonly NewJob[], clock: Clock) {
  if (jobs.length === 0) return undefined;
  const now = clock.now();
  return insertInto(
    db,
    jobs.map((job) => rowOf(job, now)),
  );
}

/** Makes sure that a recurring job exists and recurs at that interval. Harmless when it does already. */
export async function scheduleJob<DB>(db: Kysely<DB>, schedule: NewSchedule, clock: Clock): Promise<void> {
  const { uniqueKey, everyMs } = schedule;
  const now = clock.now();
  if ((await insertRow(db, { ...rowOf(schedule, now), every_ms: everyMs })) !== undefined) return;
  const scheduled = withJobs(db)
    .updateTable("jobs")
    .where("unique_key", "=", uniqueKey)
    .where("is_dead", "=", sql.lit(0));
  await scheduled.set({ every_ms: everyMs }).execute();
  const latest = now + everyMs;
  await scheduled.set({ due_at: latest }).where("owner", "is", null).where("due_at", ">", latest).execute();
}

/** Removes the job that waits or runs under a unique key. A running attempt goes on, but nothing comes after it. */
export async function cancelJob<DB>(db: Kysely<DB>, uniqueKey: string): Promise<void> {
  await withJobs(db).deleteFrom("jobs").where("unique_key", "=", uniqueKey).where("is_dead", "=", sql.lit(0)).execute();
}

/** Removes the jobs of some kinds that wait or run, and those that were given up. */
export async function withdrawJobs<DB>(db: Kysely<DB>, kinds: readonly string[]): Promise<void> {
  if (kinds.length > 0) await withJobs(db).deleteFrom("jobs").where("kind", "in", kinds).execute();
}

async function insertRow<DB>(db: Kysely<DB>, row: JobRow): Promise<string | undefined> {
  const inserted = await insertInto(db, [row]).returning("id").executeTakeFirst();
  return inserted?.id;
}

function insertInto<DB>(db: Kysely<DB>, rows: readonly JobRow[]) {
  return withJobs(db)
    .insertInto("jobs")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing());
}

function rowOf(job: NewJob, now: number): JobRow {
  return {
    id: randomUUID(),
    kind: job.kind,
    unique_key: job.uniqueKey ?? null,
    payload: JSON.stringify(job.payload ?? null),
    is_dead: 0,
    due_at: job.runAt ?? now,
    attempts: 0,
    max_attempts: job.maxAttempts ?? usualMaxAttempts,
    every_ms: null,
    owner: null,
    last_error: null,
    created_at: now,
  };
}
