import type { BuildSchema } from "@plimsoll/store";
import { sql } from "kysely";

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
