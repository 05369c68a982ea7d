import { type Kysely, sql } from "kysely";
import type { Migration } from "../migrate.ts";

/** The table of jobs, in every store. */
export interface JobTables {
  jobs: JobRow;
}

/** A row of {@link JobTables}. */
export interface JobRow {
  id: string;
  kind: string;
  unique_key: string | null;
  /** JSON. */
  payload: string;
  is_dead: 0 | 1;
  due_at: number;
  attempts: number;
  max_attempts: number;
  every_ms: number | null;
  /** The attempt that holds the lease; null while the job waits. */
  owner: string | null;
  last_error: string | null;
  created_at: number;
}

/** Creates the table of jobs. */
export const jobMigration: Migration = {
  name: "0002-jobs",
  async up(db) {
    await db.schema
      .createTable("jobs")
      .addColumn("id", "text", (column) => column.primaryKey().notNull())
      .addColumn("kind", "text", (column) => column.notNull())
      .addColumn("unique_key", "text")
      .addColumn("payload", "text", (column) => column.notNull())
      .addColumn("is_dead", "integer", (column) => column.notNull())
      .addColumn("due_at", "bigint", (column) => column.notNull())
      .addColumn("attempts", "integer", (column) => column.notNull())
      .addColumn("max_attempts", "integer", (column) => column.notNull())
      .addColumn("every_ms", "bigint")
      .addColumn("owner", "text")
      .addColumn("last_error", "text")
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .execute();
    await sql`create index jobs_due on jobs (due_at, id) where is_dead = 0`.execute(db);
    await sql`create unique index jobs_unique_key on jobs (unique_key) where is_dead = 0`.execute(db);
  },
};

/** The same database or transaction as one that holds the table of jobs, which every store does. */
export function withJobs<DB>(db: Kysely<DB>): Kysely<JobTables> {
  return db as unknown as Kysely<JobTables>;
}
