import { type Kysely, sql } from "kysely";

/** Kinds of jobs by their earlier names. */
const renamedKinds: Readonly<Record<string, string>> = {
  "server.tell-cancelled": "server.report-cancelled-job",
  "registry.tell-quota": "registry.emit-quota-events",
  "registry.tell-failed-export": "registry.mail-failed-export",
  "registry.tell-expirations": "registry.emit-expirations",
  "registry.bring-image": "registry.cache-image",
  "registry.forget-pulls": "registry.delete-pulls",
  "registry.forget-reports": "registry.delete-reports",
  "registry.count-again": "registry.recount-findings",
  "registry.count-attached": "registry.recount-images",
  "registry.keep-finding-trend": "registry.store-finding-trend",
};

/**
 * Gives kinds of jobs of an older database the names that operators see from the first release on. Waiting jobs, recurrences and jobs that have
 * failed for good keep their rows.
 */
export async function renameJobs<DB>(db: Kysely<DB>): Promise<void> {
  for (const [before, after] of Object.entries(renamedKinds)) {
    const key = sql`${after} || substr(unique_key, ${sql.lit(before.length + 1)})`;
    await sql`update jobs set kind = ${after}, unique_key = ${key} where kind = ${before}`.execute(db);
  }
}
