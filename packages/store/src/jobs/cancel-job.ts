import { type Kysely, sql } from "kysely";
import { tellJobEvents } from "./job-events.ts";
import { type JobRow, withJobs } from "./job-tables.ts";

/**
 * Removes the job that waits or runs under a unique key. The signal of a running attempt is aborted within a second, on
 * whichever node it runs, and nothing comes after it. A recurring job does not come back until it is scheduled again.
 * @param uniqueKey `keyOf` of its kind
 */
export async function cancelJob<DB>(db: Kysely<DB>, uniqueKey: string | undefined): Promise<void> {
  if (uniqueKey === undefined) return;
  const removed = await withJobs(db)
    .deleteFrom("jobs")
    .where("unique_key", "=", uniqueKey)
    .where("is_dead", "=", sql.lit(0)) // as the index says it
    .returning(["id", "kind", "due_at", "attempts", "max_attempts", "owner"])
    .execute();
  tellCancelled(db, removed);
}

/** Removes all jobs of some kinds, dead letters included. Running attempts end as in {@link cancelJob}. */
export async function withdrawJobs<DB>(db: Kysely<DB>, kinds: readonly string[]): Promise<void> {
  if (kinds.length > 0) await withJobs(db).deleteFrom("jobs").where("kind", "in", kinds).execute();
}

/** What {@link tellCancelled} needs of a row. */
export type CancelledRow = Pick<JobRow, "id" | "kind" | "due_at" | "attempts" | "max_attempts" | "owner">;

/** Tells of jobs that were cancelled while they waited; of those that run, their worker tells when they have ended. */
export function tellCancelled<DB>(db: Kysely<DB>, rows: readonly CancelledRow[]): void {
  const waiting = rows.filter(({ owner }) => owner === null);
  tellJobEvents(
    db,
    waiting.map(({ id, kind, due_at, attempts, max_attempts }) => {
      const job = { id, kind, dueAt: due_at, attempts, maxAttempts: max_attempts };
      return { kind: "cancelled", job };
    }),
  );
}
