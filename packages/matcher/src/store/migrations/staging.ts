import { type SchemaTools, type StoreKind, schemaTools } from "@plimsoll/store";
import { type Kysely, sql } from "kysely";
import type { MatcherTables } from "../tables.ts";

/**
 * The staging tables of a run: its advisories, enrichments and texts, the records that a delta names, and the rows that the run ends (by an
 * advisory's id, or by an enrichment's tag and text).
 */
export const stagingTables = ({ schema, text, notNull }: SchemaTools) => [
  schema
    .createTable("advisory_staging")
    .addColumn("run", text, notNull)
    .addColumn("updater", text, notNull)
    .addColumn("advisory_id", text, notNull)
    .addColumn("ecosystem", text, notNull)
    .addColumn("package_name", text, notNull)
    .addColumn("name", text, notNull)
    .addColumn("statement", "integer", notNull)
    .addColumn("fixed", text)
    .addColumn("extra", text)
    .addColumn("text_id", text, notNull)
    .addPrimaryKeyConstraint("advisory_staging_pkey", ["run", "advisory_id"]),

  schema
    .createTable("enrichment_staging")
    .addColumn("run", text, notNull)
    .addColumn("updater", text, notNull)
    .addColumn("tag", text, notNull)
    .addColumn("text_id", text, notNull)
    .addPrimaryKeyConstraint("enrichment_staging_pkey", ["run", "tag", "text_id"]),

  schema
    .createTable("text_staging")
    .addColumn("run", text, notNull)
    .addColumn("updater", text, notNull)
    .addColumn("id", text, notNull)
    .addColumn("text", text, notNull)
    .addPrimaryKeyConstraint("text_staging_pkey", ["run", "id"]),

  schema
    .createTable("record_staging")
    .addColumn("run", text, notNull)
    .addColumn("updater", text, notNull)
    .addColumn("record", text, notNull)
    .addPrimaryKeyConstraint("record_staging_pkey", ["run", "record"]),

  schema
    .createTable("ended_staging")
    .addColumn("run", text, notNull)
    .addColumn("updater", text, notNull)
    .addColumn("row_key", text, notNull)
    .addColumn("text_id", text, notNull)
    .addPrimaryKeyConstraint("ended_staging_pkey", ["run", "row_key", "text_id"]),
];

/**
 * Creates the staging tables at the beginning of a run. On SQLite they are temporary: outside of the database file, visible only to the
 * writing connection, and deleted when the process ends.
 */
export async function createStaging(db: Kysely<MatcherTables>, kind: StoreKind): Promise<void> {
  if (kind === "postgres") return;
  for (const table of stagingTables(schemaTools(db.schema, kind)))
    await table.temporary().ifNotExists().modifyEnd(sql`without rowid`).execute();
}
