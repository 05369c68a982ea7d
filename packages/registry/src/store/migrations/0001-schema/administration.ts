import type { BuildSchema } from "@plimsoll/store";
import { sql } from "kysely";

/** The usage log, the service keys, and what users and operators are told. */
export const administration: BuildSchema = ({ schema, text, id, notNull, partOf, primaryKey }) => [
  // no references: an entry may name what is deleted
  schema
    .createTable("usage_log")
    .addColumn("id", id)
    .addColumn("kind", text, notNull)
    .addColumn("namespace_id", text)
    .addColumn("repository_id", text)
    .addColumn("performer_id", text)
    .addColumn("performer_name", text)
    .addColumn("ip", text)
    .addColumn("metadata", text, notNull)
    .addColumn("at", "bigint", notNull),
  schema.createIndex("usage_log_at").on("usage_log").columns(["at", "id"]),
  schema.createIndex("usage_log_namespace").on("usage_log").columns(["namespace_id", "at", "id", "kind"]),
  schema
    .createIndex("usage_log_performer")
    .on("usage_log")
    .columns(["performer_name", "at", "id", "kind", "namespace_id"]),
  schema.createIndex("usage_log_repository").on("usage_log").columns(["repository_id", "at", "id", "kind"]),

  schema
    .createTable("log_archive")
    .addColumn("id", id)
    .addColumn("state", text, notNull)
    .addColumn("from_at", "bigint", notNull)
    .addColumn("from_id", "bigint", notNull)
    .addColumn("until_at", "bigint", notNull)
    .addColumn("until_id", "bigint", notNull)
    .addColumn("entries", "integer", notNull)
    .addColumn("digest", text, notNull)
    .addColumn("upload_id", text, notNull)
    .addColumn("size_bytes", "bigint", notNull)
    .addColumn("created_at", "bigint", notNull),
  schema.createIndex("log_archive_digest").on("log_archive").column("digest"),
  schema.createIndex("log_archive_until").unique().on("log_archive").columns(["until_at", "until_id"]),
  // one archive is written at a time
  schema
    .createIndex("log_archive_writing")
    .unique()
    .on("log_archive")
    .column("state")
    .where(sql<boolean>`state = 'writing'`),

  schema
    .createTable("log_export")
    .addColumn("id", text, primaryKey)
    .addColumn("file_hash", text)
    .addColumn("digest", text)
    .addColumn("size_bytes", "bigint")
    .addColumn("created_at", "bigint", notNull)
    .addColumn("expires_at", "bigint", notNull),
  schema.createIndex("log_export_expires").on("log_export").column("expires_at"),
  schema
    .createIndex("log_export_file")
    .unique()
    .on("log_export")
    .column("file_hash")
    .where(sql<boolean>`file_hash is not null`),

  // for each namespace, for entries without one (empty id), and for all entries (`*`)
  schema
    .createTable("daily_log_count")
    .addColumn("namespace_id", text, notNull)
    .addColumn("day", "integer", notNull)
    .addColumn("kind", text, notNull)
    .addColumn("count", "bigint", notNull)
    .addPrimaryKeyConstraint("daily_log_count_pkey", ["namespace_id", "day", "kind"]),

  schema
    .createTable("service_key")
    .addColumn("kid", text, primaryKey)
    .addColumn("service", text, notNull)
    .addColumn("name", text, notNull)
    .addColumn("jwk", text, notNull)
    .addColumn("metadata", text, notNull)
    .addColumn("created_at", "bigint", notNull)
    .addColumn("expires_at", "bigint")
    .addColumn("rotation_duration_s", "bigint")
    .addColumn("approved_at", "bigint")
    .addColumn("approver_id", text, (column) => column.references("account.id").onDelete("set null"))
    .addColumn("approval_type", text)
    .addColumn("approval_notes", text),
  schema
    .createIndex("service_key_approver")
    .on("service_key")
    .column("approver_id")
    .where(sql<boolean>`approver_id is not null`),

  schema
    .createTable("user_notification")
    .addColumn("id", text, primaryKey)
    .addColumn("account_id", text, partOf("account.id"))
    .addColumn("kind", text, notNull)
    .addColumn("metadata", text, notNull)
    .addColumn("about_id", text, (column) => column.references("account.id").onDelete("cascade"))
    .addColumn("from_bytes", "bigint")
    .addColumn("dismissed", "integer", notNull)
    .addColumn("created_at", "bigint", notNull)
    .addColumn("service_key_kid", text, (column) => column.references("service_key.kid").onDelete("cascade")),
  schema
    .createIndex("user_notification_about")
    .unique()
    .on("user_notification")
    .columns(["about_id", "kind", "account_id"])
    .where(sql<boolean>`about_id is not null`),
  schema
    .createIndex("user_notification_account")
    .on("user_notification")
    .columns(["account_id", "dismissed", "created_at desc", "id"]),
  schema
    .createIndex("user_notification_service_key")
    .on("user_notification")
    .column("service_key_kid")
    .where(sql<boolean>`service_key_kid is not null`),

  schema
    .createTable("global_message")
    .addColumn("id", text, primaryKey)
    .addColumn("content", text, notNull)
    .addColumn("severity", text, notNull)
    .addColumn("media_type", text, notNull)
    .addColumn("created_at", "bigint", notNull),

  schema
    .createTable("registry_size")
    .addColumn("id", "integer", primaryKey)
    .addColumn("size_bytes", "bigint", notNull)
    .addColumn("last_ran", "bigint")
    .addColumn("queued", "integer", notNull)
    .addColumn("running", "integer", notNull),

  schema.createTable("registry_fact").addColumn("name", text, primaryKey).addColumn("value", text, notNull),
];

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
