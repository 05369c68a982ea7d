import type { StoreKind } from "@plimsoll/store";
import { type Kysely, sql } from "kysely";
import type { MatcherTables } from "../tables.ts";

/** Columns of {@link import("../tables.ts").AdvisoryColumns}. */
export const advisoryColumns = `
  advisory_id TEXT not null, ecosystem TEXT not null, package_name TEXT not null, name TEXT not null,
  statement integer not null, fixed TEXT, extra TEXT, text_id TEXT not null`;

const run = "run TEXT not null, updater TEXT not null";

/** Where the items of a run wait. */
export const stagingTables = [
  `advisory_staging (${run}, ${advisoryColumns}, primary key (run, advisory_id))`,
  `enrichment_staging (${run}, tag TEXT not null, text_id TEXT not null, primary key (run, tag, text_id))`,
  `text_staging (${run}, id TEXT not null, text TEXT not null, primary key (run, id))`,
];

/** Where the records wait that a delta names. */
export const recordStaging = `record_staging (${run}, record TEXT not null, primary key (run, record))`;

/** Where the rows wait that hold now and that a run ends: by an advisory's id, or by an enrichment's tag and text. */
export const endedStaging = `ended_staging (${run}, row_key TEXT not null, text_id TEXT not null, primary key (run, row_key, text_id))`;

/**
 * Creates the staging tables where a run begins. On SQLite they are temporary: beside the file, seen only by the
 * connection that writes, and gone with a process that dies.
 */
export async function createStaging(db: Kysely<MatcherTables>, kind: StoreKind): Promise<void> {
  if (kind === "postgres") return;
  for (const table of [...stagingTables, recordStaging, endedStaging])
    await create(db, kind, `create temp table if not exists ${table} without rowid`);
}

/** Bytewise order on both engines: ranges of ids and the order of pages are the same everywhere. */
export async function create<DB>(db: Kysely<DB>, kind: StoreKind, statement: string): Promise<void> {
  await sql.raw(statement.replaceAll("TEXT", kind === "sqlite" ? "text" : 'text collate "C"')).execute(db);
}
