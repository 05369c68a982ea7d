import type { BuildSchema } from "@plimsoll/store";
import { sql } from "kysely";

/** Builds of images. */
export const builds: BuildSchema = ({ schema, text, notNull, partOf, primaryKey }) => [
  schema
    .createTable("build")
    .addColumn("id", text, primaryKey)
    .addColumn("repository_id", text, partOf("image_repository.id"))
    .addColumn("phase", text, notNull)
    .addColumn("manual_account_id", text, (column) => column.references("account.id").onDelete("set null"))
    .addColumn("archive_url", text, notNull)
    .addColumn("dockerfile_path", text, notNull)
    .addColumn("context", text, notNull)
    .addColumn("tags", text, notNull)
    .addColumn("pull_robot_id", text, (column) => column.references("account.id").onDelete("set null"))
    .addColumn("error", text)
    .addColumn("created_at", "bigint", notNull)
    .addColumn("arguments", "text", (column) => column.notNull().defaultTo("{}"))
    .addColumn("token_hash", "text")
    .addColumn("token_expires_at", "bigint")
    .addColumn("manifest_digest", "text")
    .addColumn("source", text)
    .addColumn("trigger_id", text),
  schema
    .createIndex("build_failed")
    .on("build")
    .columns(["created_at", "id"])
    .where(sql<boolean>`phase in ('error', 'internalerror')`),
  schema
    .createIndex("build_manual_account")
    .on("build")
    .column("manual_account_id")
    .where(sql<boolean>`manual_account_id is not null`),
  schema.createIndex("build_phase").on("build").columns(["phase", "repository_id"]),
  schema
    .createIndex("build_pull_robot")
    .on("build")
    .column("pull_robot_id")
    .where(sql<boolean>`pull_robot_id is not null`),
  schema.createIndex("build_repository").on("build").columns(["repository_id", "created_at desc", "id"]),
  schema.createIndex("build_token").on("build").column("token_hash").where(sql<boolean>`token_hash is not null`),

  schema
    .createTable("build_log")
    .addColumn("build_id", text, partOf("build.id"))
    .addColumn("position", "integer", notNull)
    .addColumn("entry", text, notNull)
    .addPrimaryKeyConstraint("build_log_pkey", ["build_id", "position"]),

  // a row stays after its build is deleted, until its file is deleted
  schema
    .createTable("build_log_archive")
    .addColumn("id", text, primaryKey)
    .addColumn("build_id", text, (column) => column.references("build.id").onDelete("set null"))
    .addColumn("state", text, notNull)
    .addColumn("entries", "integer", notNull)
    .addColumn("digest", text, notNull)
    .addColumn("size_bytes", "bigint", notNull),
  schema.createIndex("build_log_archive_build").unique().on("build_log_archive").column("build_id"),
  schema.createIndex("build_log_archive_digest").on("build_log_archive").column("digest"),

  schema
    .createTable("build_trigger")
    .addColumn("id", text, primaryKey)
    .addColumn("repository_id", text, partOf("image_repository.id"))
    .addColumn("title", text, notNull)
    .addColumn("secret_sealed", text, notNull)
    .addColumn("git_url", text, notNull)
    .addColumn("refs", text, notNull)
    .addColumn("request", text, notNull)
    .addColumn("is_enabled", "integer", notNull)
    .addColumn("created_at", "bigint", notNull),
  schema.createIndex("build_trigger_repository").on("build_trigger").columns(["repository_id", "created_at", "id"]),

  schema
    .createTable("build_trigger_delivery")
    .addColumn("trigger_id", text, partOf("build_trigger.id"))
    .addColumn("delivery_key", text, notNull)
    .addColumn("at", "bigint", notNull)
    .addPrimaryKeyConstraint("build_trigger_delivery_pkey", ["trigger_id", "delivery_key"]),
  schema.createIndex("build_trigger_delivery_at").on("build_trigger_delivery").columns(["trigger_id", "at"]),
];
