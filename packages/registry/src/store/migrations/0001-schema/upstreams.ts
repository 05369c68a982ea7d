import type { BuildSchema } from "@plimsoll/store";
import { sql } from "kysely";

/** Mirrors and caches of other registries. */
export const upstreams: BuildSchema = ({ schema, text, notNull, partOf }) => [
  schema
    .createTable("repository_mirror")
    .addColumn("repository_id", text, (column) => partOf("image_repository.id")(column).primaryKey())
    .addColumn("is_enabled", "integer", notNull)
    .addColumn("external_reference", text, notNull)
    .addColumn("external_username", text)
    .addColumn("external_password_sealed", text)
    .addColumn("external_config", text, notNull)
    .addColumn("sync_start_at", "bigint")
    .addColumn("sync_interval_s", "bigint", notNull)
    .addColumn("sync_timeout_s", "bigint", notNull)
    .addColumn("sync_expires_at", "bigint")
    .addColumn("sync_state", text, notNull)
    .addColumn("sync_retries", "integer", notNull)
    .addColumn("sync_transaction_id", text, notNull)
    .addColumn("robot_id", text, (column) => column.notNull().references("account.id"))
    .addColumn("tag_patterns", text, notNull)
    .addColumn("sync_waits_until", "bigint"),
  schema
    .createIndex("repository_mirror_failed")
    .on("repository_mirror")
    .column("repository_id")
    .where(sql<boolean>`sync_state = 'FAIL'`),
  schema.createIndex("repository_mirror_robot").on("repository_mirror").column("robot_id"),

  schema
    .createTable("organization_mirror")
    .addColumn("organization_id", text, (column) => partOf("account.id")(column).primaryKey())
    .addColumn("is_enabled", "integer", notNull)
    .addColumn("external_registry", text, notNull)
    .addColumn("external_username", text)
    .addColumn("external_password_sealed", text)
    .addColumn("external_config", text, notNull)
    .addColumn("repository_patterns", text, notNull)
    .addColumn("tag_patterns", text, notNull)
    .addColumn("visibility", text, notNull)
    .addColumn("robot_id", text, partOf("account.id"))
    .addColumn("sync_interval_s", "bigint", notNull)
    .addColumn("sync_timeout_s", "bigint", notNull)
    .addColumn("discover_at", "bigint")
    .addColumn("state", text, notNull)
    .addColumn("message", text, notNull)
    .addColumn("discovered_at", "bigint"),
  schema
    .createIndex("organization_mirror_due")
    .on("organization_mirror")
    .column("discover_at")
    .where(sql<boolean>`discover_at is not null`),
  schema.createIndex("organization_mirror_robot").on("organization_mirror").column("robot_id"),

  schema
    .createTable("organization_mirror_repository")
    .addColumn("organization_id", text, partOf("organization_mirror.organization_id"))
    .addColumn("external_name", text, notNull)
    .addColumn("repository_id", text, (column) => column.references("image_repository.id").onDelete("set null"))
    .addColumn("state", text, notNull)
    .addColumn("reason", text, notNull)
    .addColumn("changed_at", "bigint", notNull)
    .addPrimaryKeyConstraint("organization_mirror_repository_pkey", ["organization_id", "external_name"]),
  schema.createIndex("organization_mirror_repository_of").on("organization_mirror_repository").column("repository_id"),

  schema
    .createTable("proxy_cache")
    .addColumn("organization_id", text, (column) => partOf("account.id")(column).primaryKey())
    .addColumn("upstream_registry", text, notNull)
    .addColumn("upstream_username", text)
    .addColumn("upstream_password_sealed", text)
    .addColumn("expiration_s", "bigint")
    .addColumn("insecure", "integer", notNull),

  // manifests that caches are fetching, and their blobs
  schema
    .createTable("proxied_manifest")
    .addColumn("repository_id", text, partOf("image_repository.id"))
    .addColumn("digest", text, notNull)
    .addColumn("media_type", text, notNull)
    .addColumn("content", text, notNull)
    .addColumn("created_at", "bigint", notNull)
    .addPrimaryKeyConstraint("proxied_manifest_pkey", ["repository_id", "digest"]),

  schema
    .createTable("proxied_blob")
    .addColumn("repository_id", text, notNull)
    .addColumn("manifest_digest", text, notNull)
    .addColumn("digest", text, notNull)
    .addColumn("size_bytes", "bigint", notNull)
    .addPrimaryKeyConstraint("proxied_blob_pkey", ["repository_id", "digest", "manifest_digest"])
    .addForeignKeyConstraint(
      "proxied_blob_repository_id_manifest_digest_fkey",
      ["repository_id", "manifest_digest"],
      "proxied_manifest",
      ["repository_id", "digest"],
      (key) => key.onDelete("cascade"),
    ),
  schema.createIndex("proxied_blob_manifest").on("proxied_blob").columns(["manifest_digest", "repository_id"]),

  schema
    .createTable("proxied_pull")
    .addColumn("repository_id", text, partOf("image_repository.id"))
    .addColumn("reference", text, notNull)
    .addColumn("namespace_id", text, partOf("account.id"))
    .addColumn("digest", text, notNull)
    .addColumn("pulled_at", "bigint", notNull)
    .addPrimaryKeyConstraint("proxied_pull_pkey", ["repository_id", "reference"]),
  schema.createIndex("proxied_pull_digest").on("proxied_pull").columns(["repository_id", "digest"]),
  schema.createIndex("proxied_pull_namespace").on("proxied_pull").columns(["namespace_id", "pulled_at"]),

  schema
    .createTable("proxied_referrers")
    .addColumn("repository_id", text, partOf("image_repository.id"))
    .addColumn("digest", text, notNull)
    .addColumn("content", text, notNull)
    .addPrimaryKeyConstraint("proxied_referrers_pkey", ["repository_id", "digest"]),

  schema
    .createTable("sparse_child")
    .addColumn("manifest_id", text, partOf("image_manifest.id"))
    .addColumn("digest", text, notNull)
    .addPrimaryKeyConstraint("sparse_child_pkey", ["manifest_id", "digest"]),
  schema.createIndex("sparse_child_digest").on("sparse_child").column("digest"),
];
