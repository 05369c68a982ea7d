import type { BuildSchema } from "@plimsoll/store";
import { sql } from "kysely";

/** Settings of repositories and namespaces. */
export const repositories: BuildSchema = ({ schema, text, id, notNull, partOf, primaryKey, unique, zero }) => [
  schema
    .createTable("repository_star")
    .addColumn("account_id", text, partOf("account.id"))
    .addColumn("repository_id", text, partOf("image_repository.id"))
    .addColumn("created_at", "bigint", notNull)
    .addPrimaryKeyConstraint("repository_star_pkey", ["account_id", "repository_id"]),
  schema.createIndex("repository_star_repository").on("repository_star").column("repository_id"),

  schema
    .createTable("account_permission")
    .addColumn("repository_id", text, partOf("image_repository.id"))
    .addColumn("account_id", text, partOf("account.id"))
    .addColumn("role", text, notNull)
    .addPrimaryKeyConstraint("account_permission_pkey", ["repository_id", "account_id"]),
  schema.createIndex("account_permission_account").on("account_permission").columns(["account_id", "repository_id"]),

  schema
    .createTable("team_permission")
    .addColumn("repository_id", text, partOf("image_repository.id"))
    .addColumn("team_id", text, partOf("team.id"))
    .addColumn("role", text, notNull)
    .addPrimaryKeyConstraint("team_permission_pkey", ["repository_id", "team_id"]),
  schema.createIndex("team_permission_team").on("team_permission").columns(["team_id", "repository_id"]),

  schema
    .createTable("repository_token")
    .addColumn("id", text, primaryKey)
    .addColumn("repository_id", text, partOf("image_repository.id"))
    .addColumn("friendly_name", text, notNull)
    .addColumn("role", text, notNull)
    .addColumn("code_hash", text, unique)
    .addColumn("code_sealed", text, notNull)
    .addColumn("created_at", "bigint", notNull),
  schema
    .createIndex("repository_token_repository")
    .on("repository_token")
    .columns(["repository_id", "created_at", "id"]),

  schema
    .createTable("email_code")
    .addColumn("code_hash", text, primaryKey)
    .addColumn("account_id", text, (column) => column.references("account.id").onDelete("cascade"))
    .addColumn("repository_id", text, (column) => column.references("image_repository.id").onDelete("cascade"))
    .addColumn("purpose", text, notNull)
    .addColumn("email", text, notNull)
    .addColumn("confirmed_at", "bigint")
    .addColumn("expires_at", "bigint", notNull),
  schema
    .createIndex("email_code_account")
    .on("email_code")
    .column("account_id")
    .where(sql<boolean>`account_id is not null`),
  schema.createIndex("email_code_repository").on("email_code").columns(["repository_id", "email"]),

  schema
    .createTable("event_notification")
    .addColumn("id", text, primaryKey)
    .addColumn("title", text)
    .addColumn("event", text, notNull)
    .addColumn("method", text, notNull)
    .addColumn("config", text, notNull)
    .addColumn("event_config", text, notNull)
    .addColumn("failures", "integer", notNull)
    .addColumn("created_at", "bigint", notNull)
    .addColumn("secret_sealed", text)
    .addColumn("repository_id", text, (column) => column.references("image_repository.id").onDelete("cascade"))
    .addColumn("namespace_id", text, (column) => column.references("account.id").onDelete("cascade")),
  schema.createIndex("event_notification_made").on("event_notification").columns(["repository_id", "created_at", "id"]),
  schema
    .createIndex("event_notification_namespace")
    .on("event_notification")
    .columns(["namespace_id", "created_at", "id"])
    .where(sql<boolean>`namespace_id is not null`),
  schema.createIndex("event_notification_repository").on("event_notification").columns(["repository_id", "event"]),
  schema.createIndex("repository_notification_event").on("event_notification").columns(["event", "id"]),

  schema
    .createTable("event_delivery")
    .addColumn("id", text, primaryKey)
    .addColumn("notification_id", text, partOf("event_notification.id"))
    .addColumn("is_test", "integer", notNull)
    .addColumn("payload", text, notNull)
    .addColumn("state", text, notNull)
    .addColumn("attempts", "integer", notNull)
    .addColumn("detail", text, notNull)
    .addColumn("began_at", "bigint", notNull)
    .addColumn("changed_at", "bigint", notNull),
  schema
    .createIndex("repository_delivery_began")
    .on("event_delivery")
    .columns(["notification_id", "began_at desc", "id desc"]),

  schema
    .createTable("told_expiration")
    .addColumn("tag_id", text, partOf("tag.id"))
    .addColumn("notification_id", text, partOf("event_notification.id"))
    .addColumn("end_at", "bigint", notNull)
    .addPrimaryKeyConstraint("told_expiration_pkey", ["tag_id", "notification_id"]),
  schema.createIndex("told_expiration_notification").on("told_expiration").column("notification_id"),

  schema
    .createTable("prune_policy")
    .addColumn("id", text, primaryKey)
    .addColumn("namespace_id", text, partOf("account.id"))
    .addColumn("repository_id", text, (column) => column.references("image_repository.id").onDelete("cascade"))
    .addColumn("method", text, notNull)
    .addColumn("value", text, notNull)
    .addColumn("tag_pattern", text)
    .addColumn("tag_pattern_matches", "integer", notNull)
    .addColumn("created_at", "bigint", notNull),
  schema.createIndex("prune_policy_namespace").on("prune_policy").columns(["namespace_id", "created_at", "id"]),
  schema.createIndex("prune_policy_repository").on("prune_policy").columns(["repository_id", "created_at", "id"]),

  schema
    .createTable("pull_gate")
    .addColumn("id", text, primaryKey)
    .addColumn("namespace_id", text, (column) => column.references("account.id").onDelete("cascade"))
    .addColumn("repository_id", text, (column) => column.references("image_repository.id").onDelete("cascade"))
    .addColumn("gate", text, notNull)
    .addCheckConstraint("pull_gate_check", sql`(namespace_id is null) <> (repository_id is null)`),
  schema.createIndex("pull_gate_namespace").unique().on("pull_gate").column("namespace_id"),
  schema.createIndex("pull_gate_repository").unique().on("pull_gate").column("repository_id"),

  schema
    .createTable("quota")
    .addColumn("id", id)
    .addColumn("namespace_id", text, (column) => partOf("account.id")(column).unique())
    .addColumn("limit_bytes", "bigint", notNull),

  schema
    .createTable("quota_limit")
    .addColumn("id", id)
    .addColumn("quota_id", "bigint", partOf("quota.id"))
    .addColumn("type", text, notNull)
    .addColumn("threshold_percent", "integer", notNull)
    .addUniqueConstraint("quota_limit_quota_id_type_threshold_percent_key", ["quota_id", "type", "threshold_percent"]),

  schema
    .createTable("daily_action_count")
    .addColumn("repository_id", text, partOf("image_repository.id"))
    .addColumn("day", text, notNull)
    .addColumn("count", "integer", notNull)
    .addColumn("pulls", "integer", zero)
    .addPrimaryKeyConstraint("daily_action_count_pkey", ["repository_id", "day"]),
];

/** The bytes of repositories by day, which databases of earlier versions lack. */
export const dailySizes: BuildSchema = ({ schema, text, notNull, partOf }) => [
  schema
    .createTable("daily_size")
    .addColumn("repository_id", text, partOf("image_repository.id"))
    .addColumn("day", text, notNull)
    .addColumn("size_bytes", "bigint", notNull)
    .addPrimaryKeyConstraint("daily_size_pkey", ["repository_id", "day"]),
];

/** Scans of images, their vulnerabilities, and the rules that suppress findings. */
export const findings: BuildSchema = ({ schema, text, notNull, partOf, primaryKey, zero }) => [
  schema
    .createTable("manifest_scan")
    .addColumn("manifest_id", text, (column) => partOf("image_manifest.id")(column).primaryKey())
    .addColumn("state", text, notNull)
    .addColumn("reason", text)
    .addColumn("attempts", "integer", notNull)
    .addColumn("index_state", text)
    .addColumn("changed_at", "bigint", notNull),
  schema
    .createIndex("manifest_scan_ended")
    .on("manifest_scan")
    .columns(["index_state", "changed_at"])
    .where(sql<boolean>`state != 'queued'`),
  schema
    .createIndex("manifest_scan_queued")
    .on("manifest_scan")
    .column("changed_at")
    .where(sql<boolean>`state = 'queued'`),

  schema.createTable("collected_image").addColumn("digest", text, primaryKey),

  schema
    .createTable("finding_count")
    .addColumn("manifest_id", text, (column) => partOf("image_manifest.id")(column).primaryKey())
    .addColumn("critical", "integer")
    .addColumn("high", "integer")
    .addColumn("medium", "integer")
    .addColumn("low", "integer")
    .addColumn("negligible", "integer")
    .addColumn("unknown", "integer")
    .addColumn("fixable", "integer")
    .addColumn("exploited", "integer")
    .addColumn("is_partial", "integer")
    .addColumn("data_state", text)
    .addColumn("counted_at", "bigint")
    .addColumn("due_at", "bigint", notNull)
    .addColumn("news_at", "bigint"),
  schema.createIndex("finding_count_due").on("finding_count").column("due_at"),

  // by each of their names in lower case; deleted with the counts of the image
  schema
    .createTable("found_vulnerability")
    .addColumn("manifest_id", text, partOf("finding_count.manifest_id"))
    .addColumn("name", text, notNull)
    .addColumn("severity", text, notNull)
    .addColumn("has_fix", "integer", notNull)
    .addColumn("is_exploited", "integer", notNull)
    .addColumn("found_at", "bigint")
    .addColumn("is_alias", "integer", zero)
    .addPrimaryKeyConstraint("found_vulnerability_pkey", ["manifest_id", "name"]),
  schema.createIndex("found_vulnerability_name").on("found_vulnerability").columns(["name", "manifest_id"]),

  schema
    .createTable("daily_finding_count")
    .addColumn("repository_id", text, partOf("image_repository.id"))
    .addColumn("day", text, notNull)
    .addColumn("critical", "integer", notNull)
    .addColumn("high", "integer", notNull)
    .addColumn("medium", "integer", notNull)
    .addColumn("low", "integer", notNull)
    .addColumn("negligible", "integer", notNull)
    .addColumn("unknown", "integer", notNull)
    .addColumn("fixable", "integer", notNull)
    .addColumn("exploited", "integer", notNull)
    .addColumn("images", "integer", notNull)
    .addColumn("uncounted", "integer", notNull)
    .addColumn("partial", "integer", notNull)
    .addPrimaryKeyConstraint("daily_finding_count_pkey", ["repository_id", "day"]),

  schema
    .createTable("told_finding")
    .addColumn("manifest_id", text, partOf("image_manifest.id"))
    .addColumn("name", text, notNull)
    .addColumn("priority", text, notNull)
    .addColumn("told_at", "bigint", notNull)
    .addPrimaryKeyConstraint("told_finding_pkey", ["manifest_id", "name", "priority"]),

  schema
    .createTable("ignore_rule")
    .addColumn("id", text, primaryKey)
    .addColumn("namespace_id", text, (column) => column.references("account.id").onDelete("cascade"))
    .addColumn("repository_id", text, (column) => column.references("image_repository.id").onDelete("cascade"))
    .addColumn("vulnerability", text, notNull)
    .addColumn("package", text)
    .addColumn("image", text)
    .addColumn("reason", text, notNull)
    .addColumn("author", text, notNull)
    .addColumn("created_at", "bigint", notNull)
    .addColumn("expires_at", "bigint", notNull)
    .addColumn("used_at", "bigint")
    .addCheckConstraint("ignore_rule_check", sql`(namespace_id is null) <> (repository_id is null)`),
  schema.createIndex("ignore_rule_namespace").on("ignore_rule").columns(["namespace_id", "created_at"]),
  schema.createIndex("ignore_rule_repository").on("ignore_rule").columns(["repository_id", "created_at"]),
];

/** The upgrades that remove vulnerabilities of images, which databases of earlier versions lack; deleted with the counts of the image. */
export const upgrades: BuildSchema = ({ schema, text, notNull, partOf }) => [
  schema
    .createTable("found_upgrade")
    .addColumn("manifest_id", text, partOf("finding_count.manifest_id"))
    .addColumn("package_type", text, notNull)
    .addColumn("package", text, notNull)
    .addColumn("version", text, notNull)
    .addColumn("to_version", text, notNull)
    .addColumn("critical", "integer", notNull)
    .addColumn("high", "integer", notNull)
    .addColumn("exploited", "integer", notNull)
    .addPrimaryKeyConstraint("found_upgrade_pkey", ["manifest_id", "package_type", "package", "version", "to_version"]),
];
