import { type BuildSchema, type MigrationSet, type StoreKind, schemaMigration } from "@plimsoll/store";
import { sql } from "kysely";

/** Indexed images, the findings in their layers, and which images have a package. */
const indexerSchema: BuildSchema = ({ schema, kind, text, notNull, primaryKey, unique, zero }) => [
  // findings by layer and engine state
  schema
    .createTable("indexer_layer")
    .addColumn("layer_digest", "text", notNull)
    .addColumn("engine_state", "text", notNull)
    .addColumn("findings", "text", notNull)
    .addColumn("stored_at", "bigint", notNull)
    .addColumn("more", text)
    .addPrimaryKeyConstraint("indexer_layer_pkey", ["layer_digest", "engine_state"]),
  schema.createIndex("indexer_layer_age").on("indexer_layer").column("stored_at"),

  // the rest of long texts, whose rows have its name in `more`
  schema
    .createTable("indexer_piece")
    .addColumn("name", text, notNull)
    .addColumn("number", "integer", notNull)
    .addColumn("piece", "text", notNull)
    .addPrimaryKeyConstraint("indexer_piece_pkey", ["name", "number"]),

  schema
    .createTable("indexer_manifest")
    .addColumn("id", givenId(kind))
    .addColumn("manifest_digest", text, unique)
    .addColumn("engine_state", text, notNull)
    .addColumn("report", text, notNull)
    .addColumn("indexed_at", "bigint", notNull)
    .addColumn("keys_state", text, (column) => column.notNull().defaultTo(""))
    .addColumn("more", text)
    .addColumn("scanned", "integer", zero),
  schema.createIndex("indexer_manifest_keys").on("indexer_manifest").column("keys_state"),

  schema
    .createTable("indexer_manifest_layer")
    .addColumn("layer_digest", text, notNull)
    .addColumn("manifest_id", "bigint", notNull)
    .addPrimaryKeyConstraint("indexer_manifest_layer_pkey", ["layer_digest", "manifest_id"]),
  schema.createIndex("indexer_manifest_layers").on("indexer_manifest_layer").column("manifest_id"),

  // the runs that index images; those with a manifest have not ended
  schema
    .createTable("indexer_run")
    .addColumn("manifest_digest", text, primaryKey)
    .addColumn("run", text, notNull)
    .addColumn("state", text, notNull)
    .addColumn("manifest", text)
    .addColumn("attempts", "integer", notNull)
    .addColumn("error_code", text)
    .addColumn("error", text)
    .addColumn("changed_at", "bigint", notNull),
  schema
    .createIndex("indexer_run_open")
    .on("indexer_run")
    .column("changed_at")
    .where(sql<boolean>`manifest is not null`),

  // the names under which images were scanned
  schema
    .createTable("indexer_scanned")
    .addColumn("name", text, notNull)
    .addColumn("platform", text, notNull)
    .addColumn("manifest_digest", text, notNull)
    .addColumn("scanned_at", "bigint", notNull)
    .addPrimaryKeyConstraint("indexer_scanned_pkey", ["name", "platform"]),
  schema.createIndex("indexer_scanned_manifest").on("indexer_scanned").column("manifest_digest"),

  // the reverse index: match key → package versions → images
  schema
    .createTable("indexer_record")
    .addColumn("id", givenId(kind))
    .addColumn("content_id", text, unique)
    .addColumn("record", text, notNull)
    .addColumn("keys_state", text, (column) => column.notNull().defaultTo("")),

  schema
    .createTable("indexer_record_key")
    .addColumn("ecosystem", text, notNull)
    .addColumn("package_name", text, notNull)
    .addColumn("record_id", "bigint", notNull)
    .addPrimaryKeyConstraint("indexer_record_key_pkey", ["ecosystem", "package_name", "record_id"]),
  schema.createIndex("indexer_record_keys").on("indexer_record_key").column("record_id"),

  schema
    .createTable("indexer_manifest_record")
    .addColumn("record_id", "bigint", notNull)
    .addColumn("manifest_id", "bigint", notNull)
    .addPrimaryKeyConstraint("indexer_manifest_record_pkey", ["record_id", "manifest_id"]),
  schema.createIndex("indexer_manifest_records").on("indexer_manifest_record").column("manifest_id"),

  schema
    .createTable("indexer_keys_state")
    .addColumn("keys_state", text, primaryKey)
    .addColumn("announced_at", "bigint", notNull),

  // content that is not visible yet, or not any more
  schema
    .createTable("indexer_leftover")
    .addColumn("name", text, primaryKey)
    .addColumn("manifest_id", "bigint")
    .addColumn("owner", text),

  // ecosystems of images whose reports are not stored
  schema.createTable("indexer_ecosystem").addColumn("ecosystem", text, primaryKey),
];

/** Which packages have a name, a licence or a supplier. */
const recordFacts: BuildSchema = ({ schema, text, notNull }) => [
  schema
    .createTable("indexer_record_fact")
    .addColumn("kind", text, notNull)
    .addColumn("value", text, notNull)
    .addColumn("record_id", "bigint", notNull)
    .addPrimaryKeyConstraint("indexer_record_fact_pkey", ["kind", "value", "record_id"]),
  schema.createIndex("indexer_record_facts").on("indexer_record_fact").column("record_id"),
];

/** The type of a key that the database generates, or takes as it is given. */
const givenId = (kind: StoreKind) =>
  kind === "sqlite" ? sql`integer primary key` : sql`bigint generated by default as identity primary key`;

/** The schema of the indexer. */
export const indexerMigrations: MigrationSet = {
  service: "indexer",
  migrations: [schemaMigration("0001-schema-2", indexerSchema, recordFacts)],
  replaces: [
    {
      names: [
        "0001-layer",
        "0002-manifests",
        "0003-keys-state",
        "0004-pieces",
        "0005-leftovers",
        "0006-ecosystems",
        "0007-scanned",
      ],
      adds: [schemaMigration("0002-record-facts", recordFacts)],
    },
    { names: ["0001-schema"], adds: [schemaMigration("0002-record-facts", recordFacts)] },
  ],
};
