import type { Json } from "@plimsoll/core";
import type { ExpressionBuilder, ExpressionWrapper, Kysely, SqlBool } from "kysely";
import type { Clock } from "./enqueue-job.ts";
import type { Job, JobState } from "./job.ts";
import { type JobRow, type JobTables, withJobs } from "./job-tables.ts";

/** Which jobs to list. */
export interface ListJobsOptions {
  readonly kind?: string;
  readonly state?: JobState;
  /** 100 where absent. */
  readonly limit?: number;
  /** The id of the last job of the page before. */
  readonly after?: string;
}

/** How many jobs of one kind are in one state. */
export interface JobCount {
  readonly kind: string;
  readonly state: JobState;
  readonly jobs: number;
}

/** Jobs by id, a page at a time. Those whose state is `dead` are the dead letters. */
export async function listJobs<DB>(db: Kysely<DB>, options: ListJobsOptions = {}): Promise<readonly Job[]> {
  const { kind, state, after, limit = 100 } = options;
  let query = withJobs(db).selectFrom("jobs").selectAll();
  if (kind !== undefined) query = query.where("kind", "=", kind);
  if (state !== undefined) query = query.where((row) => isIn(row, state));
  if (after !== undefined) query = query.where("id", ">", after);
  const rows = await query.orderBy("id").limit(limit).execute();
  return rows.map(jobOfRow);
}

/** How many jobs there are, by kind and state. */
export async function countJobs<DB>(db: Kysely<DB>): Promise<readonly JobCount[]> {
  const rows = await withJobs(db)
    .selectFrom("jobs")
    .select(["kind", "is_dead"])
    .select((row) => [row("owner", "is", null).as("is_free"), row.fn.countAll<number>().as("jobs")])
    .groupBy(["kind", "is_dead", (row) => row("owner", "is", null)])
    .execute();
  const counts = rows.map((row) => ({ kind: row.kind, state: stateOf(row.is_dead, !row.is_free), jobs: row.jobs }));
  return counts.sort((a, b) => (`${a.kind} ${a.state}` < `${b.kind} ${b.state}` ? -1 : 1));
}

/**
 * Gives a dead job all its attempts again, the first of them now.
 * @returns false when there is no such dead job, or another with its unique key waits or runs
 */
export async function retryDeadJob<DB>(db: Kysely<DB>, id: string, clock: Clock): Promise<boolean> {
  const [result] = await withJobs(db)
    .updateTable("jobs")
    .set({ is_dead: 0, due_at: clock.now(), attempts: 0 })
    .where("id", "=", id)
    .where("is_dead", "=", 1)
    .where(({ not, exists, selectFrom }) => {
      const rival = selectFrom("jobs as rival").select("rival.id").where("rival.is_dead", "=", 0);
      return not(exists(rival.whereRef("rival.unique_key", "=", "jobs.unique_key")));
    })
    .execute();
  return result?.numUpdatedRows === 1n;
}

/** Removes a dead job for good. @returns false when there is no such dead job */
export async function deleteDeadJob<DB>(db: Kysely<DB>, id: string): Promise<boolean> {
  const [result] = await withJobs(db).deleteFrom("jobs").where("id", "=", id).where("is_dead", "=", 1).execute();
  return result?.numDeletedRows === 1n;
}

/** The job of a row. */
export function jobOfRow(row: JobRow): Job {
  return {
    id: row.id,
    kind: row.kind,
    ...(row.unique_key !== null && { uniqueKey: row.unique_key }),
    payload: JSON.parse(row.payload) as Json,
    state: stateOf(row.is_dead, row.owner !== null),
    dueAt: row.due_at,
    attempts: row.attempts,
    maxAttempts: row.max_attempts,
    ...(row.every_ms !== null && { everyMs: row.every_ms }),
    ...(row.last_error !== null && { lastError: row.last_error }),
    createdAt: row.created_at,
  };
}

function stateOf(isDead: 0 | 1, isHeld: boolean): JobState {
  if (isDead === 1) return "dead";
  return isHeld ? "running" : "waiting";
}

function isIn(
  row: ExpressionBuilder<JobTables, "jobs">,
  state: JobState,
): ExpressionWrapper<JobTables, "jobs", SqlBool> {
  if (state === "dead") return row("is_dead", "=", 1);
  return row.and([row("is_dead", "=", 0), row("owner", state === "waiting" ? "is" : "is not", null)]);
}
