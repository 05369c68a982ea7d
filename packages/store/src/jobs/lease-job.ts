import type { Kysely } from "kysely";
import type { Settlement } from "./after-attempt.ts";
import type { ClaimedJob } from "./job.ts";
import { withJobs } from "./job-tables.ts";

/** Whether the attempt still holds its job, another one does, or none, because the job was cancelled or is done. */
export type Holder = "held" | "taken-over" | "gone";

/** Reads who holds the job of an attempt. */
export async function holderOf<DB>(db: Kysely<DB>, job: ClaimedJob): Promise<Holder> {
  const row = await withJobs(db).selectFrom("jobs").select("owner").where("id", "=", job.id).executeTakeFirst();
  if (row === undefined || row.owner === null) return "gone";
  return row.owner === job.owner ? "held" : "taken-over";
}

/** The job with the current interval of its row, which may have changed while the job ran. */
export async function withCurrentInterval<DB>(db: Kysely<DB>, job: ClaimedJob): Promise<ClaimedJob> {
  if (job.everyMs === undefined) return job;
  const row = await withJobs(db).selectFrom("jobs").select("every_ms").where("id", "=", job.id).executeTakeFirst();
  return { ...job, everyMs: row?.every_ms ?? job.everyMs };
}

/** Extends a lease. @returns whether the lease was still held */
export async function renewLease<DB>(db: Kysely<DB>, job: ClaimedJob, expiresAt: number): Promise<boolean> {
  const [result] = await withJobs(db)
    .updateTable("jobs")
    .set({ due_at: expiresAt })
    .where("id", "=", job.id)
    .where("owner", "=", job.owner)
    .execute();
  return result?.numUpdatedRows === 1n;
}

/** Ends an attempt. @returns whether the lease was still held; if not, nothing is changed */
export async function settleJob<DB>(db: Kysely<DB>, job: ClaimedJob, settlement: Settlement): Promise<boolean> {
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
      turn: dueAt,
      last_error: lastError ?? null,
      is_dead: settlement.kind === "bury" ? 1 : 0,
      attempts: settlement.kind === "bury" ? job.attempts : settlement.attempts,
      losses: 0,
    })
    .where("id", "=", job.id)
    .where("owner", "=", job.owner)
    .execute();
  return updated?.numUpdatedRows === 1n;
}
