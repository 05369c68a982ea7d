import { randomUUID } from "node:crypto";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Store } from "../store.ts";
import { oneAtATime } from "../transaction.ts";
import type { JobRules } from "./declare-job.ts";
import { turnOfTenant } from "./enqueue-job.ts";
import type { TakenJob } from "./job.ts";
import { type JobRow, type JobTables, ranksEnd, withJobs } from "./job-tables.ts";
import { jobOfRow } from "./list-jobs.ts";

/** A kind that a job may be taken of. */
export type TakenKind = Pick<JobRules, "kind" | "clusterConcurrency"> & { readonly hasTenants: boolean };

/** Which job to take, and for how long. */
export interface TakeOptions {
  /** Classes of kinds: one of a later class is taken only when none of the classes before has any that is due. */
  readonly classes: readonly (readonly TakenKind[])[];
  readonly now: number;
  readonly leaseMs: number;
}

/** The first job of a kind that is due, or one whose worker is gone. */
interface Candidate {
  readonly id: string;
  readonly kind: string;
  readonly due_at: number;
  /** Whether it has its place among the tenants, if its kind has any. */
  readonly is_ranked: 0 | 1;
  /** The attempt whose lease has run out. */
  readonly owner: string | null;
}

/**
 * Begins an attempt at a job that is due: within a class at the one that has been due longest of the first ones of their kinds.
 * No other worker gets it until the lease ends. Each kind costs one look into an index, however many jobs wait.
 */
export async function takeJob<DB>(store: Store<DB>, options: TakeOptions): Promise<TakenJob | undefined> {
  for (const kinds of options.classes) {
    if (kinds.length === 0) continue;
    // Reading first keeps idle workers off the one writer that SQLite has.
    for (const candidate of await findCandidates(store, kinds, options.now)) {
      const kind = kinds.find((each) => each.kind === candidate.kind);
      const taken = kind && (await take(store, kind, { candidate, ...options }));
      if (taken !== undefined) return taken;
    }
  }
  return undefined;
}

async function findCandidates<DB>(
  store: Store<DB>,
  kinds: readonly TakenKind[],
  now: number,
): Promise<readonly Candidate[]> {
  const found = await probe(store.db, kinds, now);
  const unranked = found.filter(({ is_ranked }) => is_ranked === 0);
  if (unranked.length === 0) return found;
  for (const { kind } of unranked) await rankDue(store, kind, now);
  return (await probe(store.db, kinds, now)).filter(({ is_ranked }) => is_ranked === 1);
}

/** One statement with a look into the index for each kind, two for those with tenants, and one for jobs whose lease has run out. */
async function probe<DB>(db: Kysely<DB>, kinds: readonly TakenKind[], now: number): Promise<readonly Candidate[]> {
  const columns = sql.raw("id, kind, due_at, owner");
  const firsts = kinds.map(
    ({ kind }) => sql`select * from (select ${columns}, 1 as is_ranked from jobs
      where kind = ${kind} and is_dead = 0 and owner is null and turn <= ${now} order by turn, id limit 1) as first`,
  );
  const unranked = kinds.flatMap(({ kind, hasTenants }) =>
    hasTenants
      ? [sql`select * from (select ${columns}, 0 as is_ranked from jobs ${dueWithoutRank(kind, now)} limit 1) as late`]
      : [],
  );
  const abandoned = sql`select * from (select ${columns}, 1 as is_ranked from jobs
    where owner is not null and kind in (${sql.join(kinds.map(({ kind }) => kind))}) and due_at <= ${now}
    order by due_at limit 1) as abandoned`;
  const { rows } = await sql<Candidate>`${sql.join([...firsts, ...unranked, abandoned], sql` union all `)}`.execute(db);
  return rows.toSorted((a, b) => a.due_at - b.due_at);
}

/** Jobs of a kind with tenants that were to wait until now: they are behind all those that have a rank. */
function dueWithoutRank(kind: string, now: number): RawBuilder<unknown> {
  return sql`where kind = ${kind} and is_dead = 0 and owner is null and turn >= ${ranksEnd} and turn <= ${now} order by turn`;
}

/** So many jobs become ranked at a time. */
const rankedAtOnce = 100;

/** Gives jobs that were to wait until now their places among the tenants. */
async function rankDue<DB>(store: Store<DB>, kind: string, now: number): Promise<void> {
  await store.transaction(async (transaction) => {
    const due =
      await sql<JobRow>`select id, tenant, turn from jobs ${dueWithoutRank(kind, now)} limit ${rankedAtOnce}`.execute(
        transaction,
      );
    for (const { id, tenant, turn } of due.rows) {
      await withJobs(transaction)
        .updateTable("jobs")
        .set({ turn: tenant === "" ? 0 : turnOfTenant({ kind, tenant }) })
        .where("id", "=", id)
        .where("turn", "=", turn)
        .where("owner", "is", null)
        .execute();
    }
  });
}

interface Take extends TakeOptions {
  readonly candidate: Candidate;
}

async function take<DB>(store: Store<DB>, kind: TakenKind, options: Take): Promise<TakenJob | undefined> {
  const { clusterConcurrency } = kind;
  if (clusterConcurrency === undefined || options.candidate.owner !== null) return begin(store, store.db, options);
  return store.transaction(async (transaction) => {
    await oneAtATime(store, transaction, { name: `jobs.${kind.kind}` });
    const running = await sql<{ readonly jobs: number }>`select count(*) as jobs from jobs
      where owner is not null and kind = ${kind.kind}`.execute(transaction);
    if (Number(running.rows[0]?.jobs) >= clusterConcurrency) return undefined;
    return begin(store, transaction, options);
  });
}

/** The candidate, or when another worker was faster the next of its kind. An attempt whose worker was lost begins again. */
async function begin<Any, DB>(
  store: Store<Any>,
  db: Kysely<DB>,
  { candidate, now, leaseMs }: Take,
): Promise<TakenJob | undefined> {
  const owner = randomUUID();
  const isLost = candidate.owner !== null;
  const jobs: Kysely<JobTables> = withJobs(db);
  const update = jobs
    .updateTable("jobs")
    .set(({ eb }) => ({
      owner,
      ...(isLost ? { losses: eb("losses", "+", 1) } : { attempts: eb("attempts", "+", 1) }),
      due_at: now + leaseMs,
      started_at: now,
    }))
    .returningAll();
  const first = jobs
    .selectFrom("jobs")
    .select("id")
    .where("kind", "=", candidate.kind)
    .where("is_dead", "=", sql.lit(0)) // as the index says it
    .where("owner", "is", null)
    .where("turn", "<=", now)
    .orderBy("turn")
    .orderBy("id")
    .limit(1);
  const row = await (isLost
    ? update.where("id", "=", candidate.id).where("owner", "=", candidate.owner).where("due_at", "<=", now)
    : update.where("id", "=", store.kind === "postgres" ? first.forUpdate().skipLocked() : first)
  ).executeTakeFirst();
  return row && { ...jobOfRow(row), owner };
}
