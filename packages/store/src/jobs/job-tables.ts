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
  /** Empty if the kind has no tenants. */
  tenant: string;
  is_dead: 0 | 1;
  /** When it may run; for a running job, the end of its lease. */
  due_at: number;
  /** Its place among the waiting jobs of its kind: `due_at`, or a rank among the tenants, which is below {@link ranksEnd}. */
  turn: number;
  attempts: number;
  /** How often the worker of the current attempt was lost. */
  losses: number;
  max_attempts: number;
  every_ms: number | null;
  expires_at: number | null;
  /** The attempt that holds the lease; null while the job waits. */
  owner: string | null;
  last_error: string | null;
  created_at: number;
  started_at: number | null;
}

/**
 * A `turn` below this is a rank among tenants; other values are instants, because no job is due before 1973.
 */
export const ranksEnd = 100_000_000_000;

/** Creates the table of jobs. */
const createJobs: Migration = {
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

/** Finds waiting jobs by their kind, at a cost that does not depend on jobs of other kinds. */
const findJobsByKind: Migration = {
  name: "0003-jobs-by-kind",
  async up(db) {
    const table = () => db.schema.alterTable("jobs");
    await table()
      .addColumn("tenant", "text", (column) => column.notNull().defaultTo(""))
      .execute();
    await table()
      .addColumn("turn", "bigint", (column) => column.notNull().defaultTo(0))
      .execute();
    await table().addColumn("expires_at", "bigint").execute();
    await table().addColumn("started_at", "bigint").execute();
    await sql`update jobs set turn = due_at`.execute(db);
    await sql`drop index jobs_due`.execute(db);
    await sql`create index jobs_waiting on jobs (kind, turn, id) where is_dead = 0 and owner is null`.execute(db);
    await sql`create index jobs_tenant on jobs (kind, tenant, turn) where is_dead = 0 and owner is null and tenant <> ''`.execute(
      db,
    );
    await sql`create index jobs_held on jobs (due_at) where owner is not null`.execute(db);
    await sql`create index jobs_dead on jobs (kind, id) where is_dead = 1`.execute(db);
    await sql`create index jobs_recurring on jobs (kind) where every_ms is not null`.execute(db);
  },
};

/** Counts lost workers separately from failed attempts. */
const countLosses: Migration = {
  name: "0004-job-losses",
  async up(db) {
    const counted = db.schema.alterTable("jobs");
    await counted.addColumn("losses", "integer", (column) => column.notNull().defaultTo(0)).execute();
  },
};

/** Lists jobs by kind and id, also those of one kind, at a cost that does not depend on other jobs. */
const listJobsByKind: Migration = {
  name: "0005-jobs-by-kind-and-id",
  async up(db) {
    await sql`create index jobs_kind on jobs (kind, id)`.execute(db);
  },
};

/** The migrations of the table of jobs. */
export const jobMigrations: readonly Migration[] = [createJobs, findJobsByKind, countLosses, listJobsByKind];

/** The same database or transaction, typed with the table of jobs, which every store has. */
export function withJobs<DB>(db: Kysely<DB>): Kysely<JobTables> {
  return db as unknown as Kysely<JobTables>;
}
