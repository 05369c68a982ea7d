import { type Kysely, sql } from "kysely";
import type { BuildSchema } from "../schema-migration.ts";

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

/** The table of jobs. Its indexes find waiting jobs by their kind, at a cost that does not depend on jobs of other kinds. */
export const jobSchema: BuildSchema = ({ schema, notNull, primaryKey, zero }) => [
  schema
    .createTable("jobs")
    .addColumn("id", "text", primaryKey)
    .addColumn("kind", "text", notNull)
    .addColumn("unique_key", "text")
    .addColumn("payload", "text", notNull)
    .addColumn("is_dead", "integer", notNull)
    .addColumn("due_at", "bigint", notNull)
    .addColumn("attempts", "integer", notNull)
    .addColumn("max_attempts", "integer", notNull)
    .addColumn("every_ms", "bigint")
    .addColumn("owner", "text")
    .addColumn("last_error", "text")
    .addColumn("created_at", "bigint", notNull)
    .addColumn("tenant", "text", (column) => column.notNull().defaultTo(""))
    .addColumn("turn", "bigint", zero)
    .addColumn("expires_at", "bigint")
    .addColumn("started_at", "bigint")
    .addColumn("losses", "integer", zero),
  schema.createIndex("jobs_unique_key").unique().on("jobs").column("unique_key").where(isAlive),
  schema.createIndex("jobs_waiting").on("jobs").columns(["kind", "turn", "id"]).where(isWaiting),
  schema
    .createIndex("jobs_tenant")
    .on("jobs")
    .columns(["kind", "tenant", "turn"])
    .where(sql<boolean>`${isWaiting} and tenant <> ''`),
  schema.createIndex("jobs_held").on("jobs").column("due_at").where(sql<boolean>`owner is not null`),
  schema.createIndex("jobs_dead").on("jobs").columns(["kind", "id"]).where(sql<boolean>`is_dead = 1`),
  schema.createIndex("jobs_kind").on("jobs").columns(["kind", "id"]),
  schema.createIndex("jobs_recurring").on("jobs").column("kind").where(sql<boolean>`every_ms is not null`),
];

const isAlive = sql<boolean>`is_dead = 0`;
const isWaiting = sql<boolean>`is_dead = 0 and owner is null`;

/** The same database or transaction, typed with the table of jobs, which every store has. */
export function withJobs<DB>(db: Kysely<DB>): Kysely<JobTables> {
  return db as unknown as Kysely<JobTables>;
}
