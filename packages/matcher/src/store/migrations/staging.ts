import type { StoreKind } from "@plimsoll/store";
import { type Kysely, sql } from "kysely";
import type { MatcherTables } from "../tables.ts";

/** Columns of {@link import("../tables.ts").AdvisoryColumns}. */
export const advisoryColumns = `
  advisory_id TEXT not null, ecosystem TEXT not null, package_name TEXT not null, name TEXT not null,
  statement integer not null, fixed TEXT, extra TEXT, text_id TEXT not null`;

const run = "run TEXT not null, updater TEXT not null";

/** Staging tables of a run's items. */
export const stagingTables = [
  `advisory_staging (${run}, ${advisoryColumns}, primary key (run, advisory_id))`,
  `enrichment_staging (${run}, tag TEXT not null, text_id TEXT not null, primary key (run, tag, text_id))`,
  `text_staging (${run}, id TEXT not null, text TEXT not null, primary key (run, id))`,
];

/** Staging table of the records that a delta names. */
export const recordStaging = `record_staging (${run}, record TEXT not null, primary key (run, record))`;

/** Staging table of the rows that a run ends: by an advisory's id, or by an enrichment's tag and text. */
export const endedStaging = `ended_staging (${run}, row_key TEXT not null, text_id TEXT not null, primary key (run, row_key, text_id))`;

/**
 * Creates the staging tables at the beginning of a run. On SQLite they are temporary: outside of the database file, visible only to the
 * writing connection, and deleted when the process ends.
 */
export async function createStaging(db: Kysely<MatcherTables>, kind: StoreKind): Promise<void> {
  if (kind === "postgres") return;
  for (const table of [...stagingTables, recordStaging, endedStaging])
    await create(db, kind, `create temp table if not exists ${table} without rowid`);
}

/** Executes a statement in which `TEXT` is ordered bytewise on both engines, so that ranges of ids and pages are the same. */
export async function create<DB>(db: Kysely<DB>, kind: StoreKind, statement: string): Promise<void> {
  await sql.raw(statement.replaceAll("TEXT", kind === "sqlite" ? "text" : 'text collate "C"')).execute(db);
}
