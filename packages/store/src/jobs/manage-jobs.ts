import { type Kysely, sql } from "kysely";
import type { Clock } from "./enqueue-job.ts";
import type { Job } from "./job.ts";
import { tellJobEvents } from "./job-events.ts";
import { withJobs } from "./job-tables.ts";

/**
 * Returns a dead job to the queue with all its attempts, due now.
 * @returns false if there is no such dead job, or another one with its unique key waits or runs
 * @example
 * import type { Kysely } from "kysely";
 *
 * declare const db: Kysely<unknown>;
 * declare const id: string;
 * if (!(await retryDeadJob(db, id, systemTime.clock))) console.log("there is no such dead job");
 */
export async function retryDeadJob<DB>(db: Kysely<DB>, id: string, clock: Clock): Promise<boolean> {
  const now = clock.now();
  const row = await withJobs(db)
    .updateTable("jobs")
    .set({ is_dead: 0, due_at: now, turn: now, attempts: 0, losses: 0, expires_at: null })
    .where("id", "=", id)
    .where("is_dead", "=", 1)
    .where(({ not, exists, selectFrom }) => {
      const rival = selectFrom("jobs as rival").select("rival.id").where("rival.is_dead", "=", sql.lit(0));
      return not(exists(rival.whereRef("rival.unique_key", "=", "jobs.unique_key")));
    })
    .returning(["kind", "max_attempts"])
    .executeTakeFirst();
  if (row === undefined) return false;
  const job = { id, kind: row.kind, dueAt: now, attempts: 0, maxAttempts: row.max_attempts };
  tellJobEvents(db, [{ kind: "retried", job }]);
  return true;
}

/**
 * Deletes a dead job.
 * @returns false if there is no such dead job
 * @example
 * import type { Kysely } from "kysely";
 *
 * declare const db: Kysely<unknown>;
 * declare const id: string;
 * if (!(await deleteDeadJob(db, id))) console.log("there is no such dead job");
 */
export async function deleteDeadJob<DB>(db: Kysely<DB>, id: string): Promise<boolean> {
  const [result] = await withJobs(db).deleteFrom("jobs").where("id", "=", id).where("is_dead", "=", 1).execute();
  return result?.numDeletedRows === 1n;
}

/**
 * Why an action on a job was refused, for those who asked for it: the states that allow it, or what stands in the way.
 * @example
 * jobRefusals.delete({ state: "waiting" }); // "it is waiting, and only dead jobs are deleted: cancel it"
 */
export const jobRefusals = {
  retry: ({ state }: Pick<Job, "state">) =>
    state === "dead" ? "another job with its key waits or runs" : `it is ${state}, and only dead jobs are retried`,
  cancel: ({ state }: Pick<Job, "state">) => `it is ${state}, and only jobs that wait or run are cancelled`,
  delete: ({ state }: Pick<Job, "state">) => `it is ${state}, and only dead jobs are deleted: cancel it`,
};
