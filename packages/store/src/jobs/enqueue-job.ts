import { randomUUID } from "node:crypto";
import { type Expression, type Kysely, type RawBuilder, sql } from "kysely";
import type { NewJob } from "./job.ts";
import { type JobEvent, tellJobEvents } from "./job-events.ts";
import { type JobRow, ranksEnd, withJobs } from "./job-tables.ts";

/** A source of the current time. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

/**
 * Puts a job into the queue. In a transaction, the job exists if and only if the transaction commits.
 * @returns the job's id; undefined if a job with its unique key already waits or runs
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
 * await store.transaction((transaction) => enqueueJob(transaction, buildTree.of({ root: "oak" }), systemTime.clock));
 */
export async function enqueueJob<DB>(db: Kysely<DB>, job: NewJob, clock: Clock): Promise<string | undefined> {
  const row = rowOf(job, clock.now());
  const inserted = await insertInto(db, [row]).returning("id").executeTakeFirst();
  if (inserted !== undefined) tellJobEvents(db, [enqueued(row)]);
  return inserted?.id;
}

/**
 * As {@link enqueueJob} for several jobs: a statement to run {@link together} with others; undefined without jobs. Jobs whose unique key
 * already waits or runs are left out, but their event `enqueued` is emitted anyway.
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
 * const roots = ["oak", "elm"];
 * await store.transaction((transaction) => {
 *   const jobs = newJobs(transaction, roots.map((root) => buildTree.of({ root })), systemTime.clock);
 *   return together(transaction, { jobs });
 * });
 */
export function newJobs<DB>(db: Kysely<DB>, jobs: readonly NewJob[], clock: Clock) {
  if (jobs.length === 0) return undefined;
  const now = clock.now();
  const before = new Map<string, number>();
  const rows = jobs.map((job) => {
    const { kind, tenant } = job.parts;
    const ahead = before.get(`${kind} ${tenant}`) ?? 0;
    before.set(`${kind} ${tenant}`, ahead + 1);
    return rowOf(job, now, ahead);
  });
  tellJobEvents(db, rows.map(enqueued));
  return insertInto(db, rows);
}

/** A row for inserting. The database may compute its place in the queue. */
export type InsertedJob = Omit<JobRow, "turn"> & { readonly turn: number | RawBuilder<number> };

/** Inserts rows, except those whose unique key already waits or runs. */
export function insertInto<DB>(db: Kysely<DB>, rows: readonly InsertedJob[]) {
  return withJobs(db)
    .insertInto("jobs")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing());
}

/**
 * The row of a job.
 * @param ahead how many jobs of the same tenant come before it in the same statement
 */
export function rowOf({ parts }: NewJob, now: number, ahead = 0): InsertedJob {
  const { kind, tenant, uniqueKey, payload, runAt, maxAttempts, staleAfterSeconds } = parts;
  const dueAt = runAt ?? now;
  return {
    id: randomUUID(),
    kind,
    unique_key: uniqueKey ?? null,
    payload: JSON.stringify(payload),
    tenant,
    is_dead: 0,
    due_at: dueAt,
    turn: tenant === "" || dueAt > now ? dueAt : turnOfTenant({ kind, tenant }, ahead),
    attempts: 0,
    losses: 0,
    max_attempts: maxAttempts,
    every_ms: null,
    expires_at: staleAfterSeconds === undefined ? null : dueAt + staleAfterSeconds * 1000,
    owner: null,
    last_error: null,
    created_at: now,
    started_at: null,
  };
}

/**
 * The place of a tenant's next job among the waiting jobs of its kind: after the tenant's own last job, and not before the first waiting job.
 * So each tenant has one job in every round, however many jobs it has enqueued earlier.
 */
export function turnOfTenant(of: Pick<JobRow, "kind" | "tenant">, ahead = 0): RawBuilder<number> {
  const waiting = sql`is_dead = 0 and owner is null and kind = ${of.kind} and turn < ${ranksEnd}`;
  const first: Expression<number> = sql`(select turn from jobs where ${waiting} order by turn limit 1)`;
  const next: Expression<number> = sql`(select turn + 1 from jobs
    where ${waiting} and tenant <> '' and tenant = ${of.tenant} order by turn desc limit 1)`;
  return sql<number>`coalesce((select max(rank) from (select ${first} as rank union all select ${next}) as ranks), 0)
    + ${sql.lit(ahead)}`;
}

function enqueued({ id, kind, due_at, max_attempts }: InsertedJob): JobEvent {
  return { kind: "enqueued", job: { id, kind, dueAt: due_at, attempts: 0, maxAttempts: max_attempts } };
}
