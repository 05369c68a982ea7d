import {
  type BuildSchema,
  type MigrationSet,
  type SchemaTools,
  type StoreKind,
  schemaMigration,
  schemaTools,
} from "@plimsoll/store";
import { type Kysely, sql } from "kysely";
import type { MatcherTables } from "../tables.ts";

/** Updates of feeds, and advisories and enrichments with the operations between which they are valid. */
const matcherSchema: BuildSchema = (tools) => {
  const { schema, text, notNull, primaryKey, unique, zero } = tools;
  return [
    schema
      .createTable("updater")
      .addColumn("name", text, primaryKey)
      .addColumn("checked_at", "bigint", notNull)
      .addColumn("seq", "bigint", zero),

    schema
      .createTable("update_operation")
      .addColumn("seq", "bigint", primaryKey)
      .addColumn("ref", text, unique)
      .addColumn("updater", text, notNull)
      .addColumn("fingerprint", text, notNull)
      .addColumn("date", "bigint", notNull)
      .addColumn("kind", text, notNull)
      .addColumn("row_count", "bigint", zero)
      .addColumn("dropped_count", "bigint", zero)
      .addColumn("dropped", "text")
      .addColumn("place", "bigint", zero)
      .addColumn("account", "text"),
    schema.createIndex("update_operation_place").on("update_operation").column("place"),
    schema.createIndex("update_operation_updater").on("update_operation").columns(["updater", "seq"]),

    schema
      .createTable("running_update")
      .addColumn("updater", text, primaryKey)
      .addColumn("run", text, notNull)
      .addColumn("seq", "bigint", notNull),

    schema
      .createTable("failed_update")
      .addColumn("updater", text, primaryKey)
      .addColumn("failed_at", "bigint", notNull)
      .addColumn("code", text, notNull)
      .addColumn("message", text, notNull),

    schema
      .createTable("updater_ecosystem")
      .addColumn("ecosystem", text, notNull)
      .addColumn("updater", text, notNull)
      .addColumn("valid_from", "bigint", notNull)
      .addColumn("valid_to", "bigint")
      .addPrimaryKeyConstraint("updater_ecosystem_pkey", ["ecosystem", "updater", "valid_from"]),
    schema
      .createIndex("updater_ecosystem_closed")
      .on("updater_ecosystem")
      .columns(["valid_to", "updater"])
      .where(sql<boolean>`valid_to is not null`),
    schema.createIndex("updater_ecosystem_opened").on("updater_ecosystem").columns(["valid_from", "updater"]),

    schema.createTable("shared_text").addColumn("id", text, primaryKey).addColumn("text", text, notNull),

    schema
      .createTable("advisory")
      .addColumn("advisory_id", text, notNull)
      .addColumn("ecosystem", text, notNull)
      .addColumn("package_name", text, notNull)
      .addColumn("name", text, notNull)
      .addColumn("statement", "integer", notNull)
      .addColumn("fixed", text)
      .addColumn("extra", text)
      .addColumn("text_id", text, notNull)
      .addColumn("updater", text, notNull)
      .addColumn("valid_from", "bigint", notNull)
      .addColumn("valid_to", "bigint")
      .addPrimaryKeyConstraint("advisory_pkey", ["advisory_id", "updater", "valid_from"]),
    schema
      .createIndex("advisory_closed")
      .on("advisory")
      .columns(["valid_to", "updater"])
      .where(sql<boolean>`valid_to is not null`),
    schema.createIndex("advisory_opened").on("advisory").columns(["valid_from", "updater"]),
    schema.createIndex("advisory_package").on("advisory").columns(["ecosystem", "package_name"]),
    schema.createIndex("advisory_text").on("advisory").column("text_id"),

    schema
      .createTable("enrichment")
      .addColumn("tag", text, notNull)
      .addColumn("text_id", text, notNull)
      .addColumn("updater", text, notNull)
      .addColumn("valid_from", "bigint", notNull)
      .addColumn("valid_to", "bigint")
      .addPrimaryKeyConstraint("enrichment_pkey", ["tag", "updater", "text_id", "valid_from"]),
    schema
      .createIndex("enrichment_closed")
      .on("enrichment")
      .columns(["valid_to", "updater"])
      .where(sql<boolean>`valid_to is not null`),
    schema.createIndex("enrichment_opened").on("enrichment").columns(["valid_from", "updater"]),
    schema.createIndex("enrichment_text").on("enrichment").column("text_id"),

    currentRules(tools),
    schema
      .createIndex("current_rules_ended")
      .on("current_rules")
      .columns(["updater", "valid_to"])
      .where(sql<boolean>`valid_to is not null`),

    ...(tools.kind === "postgres" ? stagingTables(tools).map((table) => table.modifyFront(sql`unlogged`)) : []),
  ];
};

/** The only table that the most frequent look-up reads. */
function currentRules({ schema, kind, text, notNull }: SchemaTools) {
  const table = schema
    .createTable("current_rules")
    .addColumn("ecosystem", text, notNull)
    .addColumn("package_name", text, notNull)
    .addColumn("updater", text, notNull)
    .addColumn("valid_from", "bigint", notNull)
    .addColumn("valid_to", "bigint")
    .addColumn("rules", text, notNull)
    .addPrimaryKeyConstraint("current_rules_pkey", ["ecosystem", "package_name", "updater", "valid_from"]);
  return kind === "sqlite" ? table.modifyEnd(sql`without rowid`) : table;
}

/** The matcher's schema. */
export const matcherMigrations: MigrationSet = {
  service: "matcher",
  migrations: [schemaMigration("0001-schema", matcherSchema)],
  replaces: [
    {
      names: [
        "0001-advisories",
        "0002-dropped-records",
        "0003-deltas",
        "0004-failed-updates",
        "0005-first-loads",
        "0006-updates-in-steps",
        "0007-accounts",
      ],
    },
  ],
};

/**
 * The staging tables of a run: its advisories, enrichments and texts, the records that a delta names, and the rows that the run ends (by an
 * advisory's id, or by an enrichment's tag and text).
 */
const stagingTables = ({ schema, text, notNull }: SchemaTools) => [
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
