import { type BuildSchema, type MigrationSet, type SchemaTools, schemaMigration } from "@plimsoll/store";
import { sql } from "kysely";

/** Processed update operations of each subscriber, and sets of notifications. */
const notifierSchema: BuildSchema = (tools) => {
  const { schema, notNull, partOf, primaryKey, zero } = tools;
  return [
    schema
      .createTable("notified_operation")
      .addColumn("subscriber", "text", notNull)
      .addColumn("ref", "text", notNull)
      .addColumn("updater", "text", notNull)
      .addColumn("recorded_at", "bigint", notNull)
      .addPrimaryKeyConstraint("notified_operation_pkey", ["subscriber", "ref"]),
    schema.createIndex("notified_operation_updater").on("notified_operation").columns(["subscriber", "updater"]),

    schema
      .createTable("notification_set")
      .addColumn("id", "text", primaryKey)
      .addColumn("ref", "text", notNull)
      .addColumn("updater", "text", notNull)
      .addColumn("state", "text", notNull)
      .addColumn("notifications", "integer", notNull)
      .addColumn("created_at", "bigint", notNull)
      .addColumn("changed_at", "bigint", notNull)
      .addColumn("last_error", "text")
      .addColumn("subscriber", "text", (column) => column.notNull().defaultTo("transport"))
      .addColumn("is_first", "integer", zero),
    schema.createIndex("notification_set_expiry").on("notification_set").column("changed_at"),

    schema
      .createTable("notified_vulnerability")
      .addColumn("set_id", "text", partOf("notification_set.id"))
      .addColumn("number", "integer", notNull)
      .addColumn("summary", "text", notNull)
      .addPrimaryKeyConstraint("notified_vulnerability_pkey", ["set_id", "number"]),

    schema
      .createTable("notification")
      .addColumn("set_id", "text", partOf("notification_set.id"))
      .addColumn("seq", "integer", notNull)
      .addColumn("id", "text", notNull)
      .addColumn("manifest", "text", notNull)
      .addColumn("reason", "text", notNull)
      .addColumn("vulnerability", "integer", notNull)
      .addPrimaryKeyConstraint("notification_pkey", ["set_id", "seq"]),

    stagedChanges(tools),
  ];
};

/** The changes of an update operation until all are known. They may be lost, because they can be queried again. */
function stagedChanges({ schema, kind, text, notNull }: SchemaTools) {
  const table = schema
    .createTable("staged_change")
    .addColumn("subscriber", text, notNull)
    .addColumn("updater", text, notNull)
    .addColumn("manifest", text, notNull)
    .addColumn("vulnerability", "integer", notNull)
    .addColumn("is_added", "integer", notNull)
    .addPrimaryKeyConstraint("staged_change_pkey", ["subscriber", "updater", "manifest", "vulnerability", "is_added"]);
  return kind === "sqlite" ? table.modifyEnd(sql`without rowid`) : table.modifyFront(sql`unlogged`);
}

/** The notifier's schema. */
export const notifierMigrations: MigrationSet = {
  service: "notifier",
  migrations: [schemaMigration("0001-schema", notifierSchema)],
  replaces: [{ names: ["0001-notifications", "0002-staged-changes", "0003-subscribers"] }],
};
