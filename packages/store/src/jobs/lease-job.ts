import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Store } from "../store.ts";
import type { Settlement } from "./after-attempt.ts";
import type { TakenJob } from "./job.ts";
import { withJobs } from "./job-tables.ts";
import { jobOfRow } from "./list-jobs.ts";

/** Which job to take, and for how long. */
export interface TakeOptions {
  readonly kinds: readonly string[];
  readonly now: number;
  readonly leaseMs: number;
}

/**
 * Begins an attempt at the job that has been due longest: one that waits, or one whose lease ran out because its worker
 * is gone. Nobody else gets it until the lease ends.
 */
export async function takeJob<DB>(store: Store<DB>, options: TakeOptions): Promise<TakenJob | undefined> {
  const { kinds, now, leaseMs } = options;
  const db = withJobs(store.db);
  const due = db
    .selectFrom("jobs")
    .select("id")
    .where("is_dead", "=", sql.lit(0)) // as the index of those that are due says it
    .where("due_at", "<=", now)
    .where("kind", "in", kinds)
    .orderBy("due_at")
    .orderBy("id")
    .limit(1);
  // Reading first keeps idle workers off the one writer that SQLite has.
  if (kinds.length === 0 || (await due.executeTakeFirst()) === undefined) return undefined;
  const owner = randomUUID();
  const row = await db
    .updateTable("jobs")
    .set(({ eb }) => ({ owner, attempts: eb("attempts", "+", 1), due_at: now + leaseMs }))
    .where("id", "=", store.kind === "postgres" ? due.forUpdate().skipLocked() : due)
    .returningAll()
    .executeTakeFirst();
  return row && { ...jobOfRow(row), owner };
}

/** Moves the end of a lease. @returns whether the lease was still held */
export async function renewLease<DB>(db: Kysely<DB>, job: TakenJob, expiresAt: number): Promise<boolean> {
  const [result] = await withJobs(db)
    .updateTable("jobs")
    .set({ due_at: expiresAt })
    .where("id", "=", job.id)
    .where("owner", "=", job.owner)
    .execute();
  return result?.numUpdatedRows === 1n;
}

/** Ends an attempt. @returns whether the lease was still held; if not, nothing is changed */
export async function settleJob<DB>(db: Kysely<DB>, job: TakenJob, settlement: Settlement): Promise<boolean> {
  const jobs = withJobs(db);
  if (settlement.kind === "remove") {
    const [deleted] = await jobs.deleteFrom("jobs").where("id", "=", job.id).where("owner", "=", job.owner).execute();
    return deleted?.numDeletedRows === 1n;
  }
  const { dueAt, lastError } = settlement;
  const [updated] = await jobs
    .updateTable("jobs")
    .set({
      owner: null,
      due_at: dueAt,
      last_error: lastError ?? null,
      is_dead: settlement.kind === "bury" ? 1 : 0,
      attempts: settlement.kind === "bury" ? job.attempts : settlement.attempts,
    })
    .where("id", "=", job.id)
    .where("owner", "=", job.owner)
    .execute();
  return updated?.numUpdatedRows === 1n;
}
