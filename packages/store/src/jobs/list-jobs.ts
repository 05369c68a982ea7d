import type { Json } from "@plimsoll/core/report";
import { type ExpressionBuilder, type ExpressionWrapper, type Kysely, type SqlBool, sql } from "kysely";
import { type Job, type JobState, jobStates } from "./job.ts";
import { type JobRow, type JobTables, withJobs } from "./job-tables.ts";

/** Options of {@link listJobs}. */
export interface ListJobsOptions {
  readonly kind?: string;
  readonly state?: JobState;
  /** 100 by default. */
  readonly limit?: number;
  /** The last job of the page before. */
  readonly after?: readonly [kind: string, id: string];
}

/** The number of jobs of one kind in one state. */
export interface JobCount {
  readonly kind: string;
  readonly state: JobState;
  readonly jobs: number;
}

/**
 * Lists jobs by kind and id, a page at a time. Jobs in the state `dead` are the dead letters. It reads only the jobs of the page, and all
 * running ones.
 * @example
 * import type { Kysely } from "kysely";
 *
 * declare const db: Kysely<unknown>;
 * const dead = await listJobs(db, { state: "dead", limit: 20 });
 * for (const { id, kind, lastError } of dead) console.log(id, kind, lastError);
 */
export async function listJobs<DB>(db: Kysely<DB>, options: ListJobsOptions = {}): Promise<readonly Job[]> {
  const { kind, state, after, limit = 100 } = options;
  // Running jobs are few: they are found by their leases, and sorted afterwards.
  const jobs = withJobs(db).with(
    (name) => name("running").materialized(),
    (those) => those.selectFrom("jobs").selectAll().where("owner", "is not", null),
  );
  let query =
    state === "running" ? jobs.selectFrom("running as jobs").selectAll() : withJobs(db).selectFrom("jobs").selectAll();
  if (state !== undefined) query = query.where((row) => isIn(row, state));
  if (kind !== undefined) query = query.where("kind", "=", kind);
  if (after !== undefined)
    query = query.where(({ eb, refTuple, tuple }) => eb(refTuple("kind", "id"), ">", tuple(...after)));
  const rows = await query.orderBy("kind").orderBy("id").limit(limit).execute();
  return rows.map(jobOfRow);
}

/** Options of {@link countJobs}. */
export interface CountJobsOptions {
  readonly kind?: string;
}

/**
 * Counts jobs by kind and state. It reads only the index of each state.
 * @example
 * import type { Kysely } from "kysely";
 *
 * declare const db: Kysely<unknown>;
 * for (const { kind, state, jobs } of await countJobs(db)) console.log(`${kind} ${state}: ${jobs}`);
 */
export async function countJobs<DB>(db: Kysely<DB>, { kind }: CountJobsOptions = {}): Promise<readonly JobCount[]> {
  const counts: JobCount[] = [];
  for (const state of jobStates) {
    let jobs = withJobs(db)
      .selectFrom("jobs")
      .where((row) => isIn(row, state));
    if (kind !== undefined) jobs = jobs.where("kind", "=", kind);
    const rows = await jobs
      .select("kind")
      .select((row) => row.fn.countAll<number>().as("jobs"))
      .groupBy("kind")
      .execute();
    counts.push(...rows.map((row) => ({ kind: row.kind, state, jobs: Number(row.jobs) })));
  }
  return counts.sort((a, b) => (`${a.kind} ${a.state}` < `${b.kind} ${b.state}` ? -1 : 1));
}

/**
 * Finds a job by its id.
 * @example
 * import type { Kysely } from "kysely";
 *
 * declare const db: Kysely<unknown>;
 * declare const id: string;
 * const found = await findJob(db, id);
 * console.log(found?.state, found?.lastError);
 */
export async function findJob<DB>(db: Kysely<DB>, id: string): Promise<Job | undefined> {
  const row = await withJobs(db).selectFrom("jobs").selectAll().where("id", "=", id).executeTakeFirst();
  return row && jobOfRow(row);
}

/**
 * Finds the waiting or running job with a unique key.
 * @param uniqueKey `keyOf` of its kind
 * @example
 * import { Type } from "typebox";
 *
 * declare const store: Store<unknown>;
 * const buildTree = job({
 *   kind: "build-tree",
 *   payload: Type.Object({ root: Type.String() }),
 *   key: ({ root }) => root,
 *   handle: async ({ payload }) => console.log(payload.root),
 * });
 * const live = await findLiveJob(store.db, buildTree.keyOf({ root: "oak" }));
 * console.log(live === undefined ? "nothing builds it" : live.state);
 */
export async function findLiveJob<DB>(db: Kysely<DB>, uniqueKey: string | undefined): Promise<Job | undefined> {
  if (uniqueKey === undefined) return undefined;
  const live = withJobs(db).selectFrom("jobs").selectAll().where("is_dead", "=", sql.lit(0)); // a literal, to match the partial index
  const row = await live.where("unique_key", "=", uniqueKey).executeTakeFirst();
  return row && jobOfRow(row);
}

/** The job of a row. */
export function jobOfRow(row: JobRow): Job {
  return {
    id: row.id,
    kind: row.kind,
    uniqueKey: row.unique_key ?? undefined,
    payload: JSON.parse(row.payload) as Json,
    tenant: row.tenant,
    state: stateOf(row.is_dead, { isHeld: row.owner !== null }),
    dueAt: row.due_at,
    attempts: row.attempts,
    losses: row.losses,
    maxAttempts: row.max_attempts,
    everyMs: row.every_ms ?? undefined,
    expiresAt: row.expires_at ?? undefined,
    lastError: row.last_error ?? undefined,
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
  };
}

function stateOf(isDead: 0 | 1, { isHeld }: { readonly isHeld: boolean }): JobState {
  if (isDead === 1) return "dead";
  return isHeld ? "running" : "waiting";
}

/** The condition of a state, in the form of its partial index. */
function isIn(
  row: ExpressionBuilder<JobTables, "jobs">,
  state: JobState,
): ExpressionWrapper<JobTables, "jobs", SqlBool> {
  if (state === "dead") return row("is_dead", "=", sql.lit(1));
  if (state === "running") return row("owner", "is not", null);
  return row.and([row("is_dead", "=", sql.lit(0)), row("owner", "is", null)]);
}
