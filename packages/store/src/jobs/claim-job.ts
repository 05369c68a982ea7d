import { randomUUID } from "node:crypto";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Store } from "../store.ts";
import { oneAtATime } from "../transaction.ts";
import type { JobRules } from "./declare-job.ts";
import { turnOfTenant } from "./enqueue-job.ts";
import type { ClaimedJob } from "./job.ts";
import { type JobRow, type JobTables, ranksEnd, withJobs } from "./job-tables.ts";
import { jobOfRow } from "./list-jobs.ts";

/** A kind whose jobs may be claimed. */
export type ClaimableKind = Pick<JobRules, "kind" | "clusterConcurrency"> & { readonly hasTenants: boolean };

/** Which job to claim, and for how long. */
export interface ClaimOptions {
  /** Classes of kinds: a job of a later class is claimed only if no job of the earlier classes is due. */
  readonly classes: readonly (readonly ClaimableKind[])[];
  readonly now: number;
  readonly leaseMs: number;
}

/** The first due job of a kind, or one whose lease has expired. */
interface Candidate {
  readonly id: string;
  readonly kind: string;
  readonly due_at: number;
  /** Whether it has its place among the tenants; 1 for a kind without tenants. */
  readonly is_ranked: 0 | 1;
  /** The attempt whose lease has expired. */
  readonly owner: string | null;
}

/**
 * Claims a due job and starts an attempt. Within a class it claims, of the first jobs of all kinds, the one that has been due for the longest
 * time. No other worker gets it until the lease ends. Each kind costs one index look-up, however many jobs wait.
 */
export async function claimJob<DB>(store: Store<DB>, options: ClaimOptions): Promise<ClaimedJob | undefined> {
  for (const kinds of options.classes) {
    if (kinds.length === 0) continue;
    // Reading first keeps idle workers from blocking SQLite's only writer.
    for (const candidate of await findCandidates(store, kinds, options.now)) {
      const kind = kinds.find((each) => each.kind === candidate.kind);
      const claimed = kind && (await claim(store, kind, { candidate, ...options }));
      if (claimed !== undefined) return claimed;
    }
  }
  return undefined;
}

async function findCandidates<DB>(
  store: Store<DB>,
  kinds: readonly ClaimableKind[],
  now: number,
): Promise<readonly Candidate[]> {
  const found = await probe(store.db, kinds, now);
  const unranked = found.filter(({ is_ranked }) => is_ranked === 0);
  if (unranked.length === 0) return found;
  for (const { kind } of unranked) await rankDue(store, kind, now);
  return (await probe(store.db, kinds, now)).filter(({ is_ranked }) => is_ranked === 1);
}

/** One statement with an index look-up for each kind, two for kinds with tenants, and one for jobs whose lease has expired. */
async function probe<DB>(db: Kysely<DB>, kinds: readonly ClaimableKind[], now: number): Promise<readonly Candidate[]> {
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

/** Jobs of a kind with tenants whose start time has come. They have no rank yet, and are behind all jobs that have one. */
function dueWithoutRank(kind: string, now: number): RawBuilder<unknown> {
  return sql`where kind = ${kind} and is_dead = 0 and owner is null and turn >= ${ranksEnd} and turn <= ${now} order by turn`;
}

/** How many jobs get their rank in one transaction. */
const rankedAtOnce = 100;

/** Gives jobs whose start time has come their places among the tenants. */
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

interface ClaimWithCandidate extends ClaimOptions {
  readonly candidate: Candidate;
}

async function claim<DB>(
  store: Store<DB>,
  kind: ClaimableKind,
  options: ClaimWithCandidate,
): Promise<ClaimedJob | undefined> {
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

/** Claims the candidate, or the next job of its kind if another worker was faster. An attempt whose worker was lost is restarted. */
async function begin<Any, DB>(
  store: Store<Any>,
  db: Kysely<DB>,
  { candidate, now, leaseMs }: ClaimWithCandidate,
): Promise<ClaimedJob | undefined> {
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
    .where("is_dead", "=", sql.lit(0)) // a literal, to match the partial index
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
