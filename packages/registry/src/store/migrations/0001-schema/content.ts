import type { BuildSchema } from "@plimsoll/store";
import { sql } from "kysely";

/** The indexes of orders by size, which databases of earlier versions lack. */
export const sizes: BuildSchema = ({ schema }) => [
  schema
    .createIndex("image_manifest_size")
    .on("image_manifest")
    .column("repository_id")
    .expression(sql`coalesce(layers_size_bytes, -1)`)
    .column("id"),
  schema.createIndex("image_repository_size").on("image_repository").columns(["namespace_id", "size_bytes", "id"]),
];

/** Repositories, blobs, manifests and tags. */
export const content: BuildSchema = ({ schema, text, notNull, partOf, primaryKey, zero }) => [
  schema
    .createTable("image_repository")
    .addColumn("id", text, primaryKey)
    .addColumn("namespace_id", text, partOf("account.id"))
    .addColumn("name", text, notNull)
    .addColumn("kind", text, notNull)
    .addColumn("visibility", text, notNull)
    .addColumn("state", text, notNull)
    .addColumn("description", text, notNull)
    .addColumn("badge_token", text, notNull)
    .addColumn("size_bytes", "bigint", notNull)
    .addColumn("created_at", "bigint", notNull)
    .addColumn("deleted_at", "bigint")
    .addColumn("immutability_policies", text, (column) => column.notNull().defaultTo("[]"))
    .addUniqueConstraint("image_repository_namespace_id_name_key", ["namespace_id", "name"]),
  schema
    .createIndex("image_repository_deleted")
    .on("image_repository")
    .column("id")
    .where(sql<boolean>`state = 'deleted'`),
  schema.createIndex("image_repository_name").on("image_repository").column("name"),
  schema.createIndex("image_repository_namespace").on("image_repository").columns(["namespace_id", "id"]),
  schema
    .createIndex("image_repository_public")
    .on("image_repository")
    .column("id")
    .where(sql<boolean>`visibility = 'public'`),

  schema
    .createTable("organization_immutability")
    .addColumn("organization_id", text, (column) => partOf("account.id")(column).primaryKey())
    .addColumn("policies", text, notNull),

  schema
    .createTable("blob")
    .addColumn("digest", text, primaryKey)
    .addColumn("size_bytes", "bigint", notNull)
    .addColumn("created_at", "bigint", notNull)
    .addColumn("fault", "text")
    .addColumn("damaged_at", "bigint"),
  schema
    .createIndex("blob_damaged")
    .on("blob")
    .columns(["damaged_at", "digest"])
    .where(sql<boolean>`damaged_at is not null`),

  schema.createTable("blob_removal").addColumn("digest", text, primaryKey),

  schema
    .createTable("repository_blob")
    .addColumn("repository_id", text, partOf("image_repository.id"))
    .addColumn("digest", text, (column) => column.notNull().references("blob.digest"))
    .addColumn("linked_at", "bigint", notNull)
    .addColumn("manifests", "integer", notNull)
    .addPrimaryKeyConstraint("repository_blob_pkey", ["repository_id", "digest"]),
  schema.createIndex("repository_blob_digest").on("repository_blob").column("digest"),
  schema
    .createIndex("repository_blob_loose")
    .on("repository_blob")
    .columns(["repository_id", "linked_at"])
    .where(sql<boolean>`manifests = 0`),

  schema
    .createTable("upload")
    .addColumn("id", text, primaryKey)
    .addColumn("repository_id", text, partOf("image_repository.id"))
    .addColumn("namespace_id", text, notNull)
    .addColumn("account_id", text)
    .addColumn("received_bytes", "bigint", notNull)
    .addColumn("digest", text)
    .addColumn("created_at", "bigint", notNull)
    .addColumn("updated_at", "bigint", notNull),
  schema.createIndex("upload_age").on("upload").column("updated_at"),
  schema.createIndex("upload_by_digest").on("upload").column("digest"),
  schema.createIndex("upload_namespace").on("upload").column("namespace_id"),
  schema.createIndex("upload_repository").on("upload").column("repository_id"),

  schema
    .createTable("image_manifest")
    .addColumn("id", text, primaryKey)
    .addColumn("repository_id", text, partOf("image_repository.id"))
    .addColumn("digest", text, notNull)
    .addColumn("media_type", text, notNull)
    .addColumn("artifact_type", text)
    .addColumn("config_media_type", text)
    .addColumn("subject", text)
    .addColumn("content", text, notNull)
    .addColumn("size_bytes", "bigint", notNull)
    .addColumn("layers_size_bytes", "bigint")
    .addColumn("is_index", "integer", notNull)
    .addColumn("created_at", "bigint", notNull)
    .addColumn("kept_until", "bigint", notNull)
    .addColumn("deleted_at", "bigint")
    .addColumn("security_revision", "bigint", zero)
    .addColumn("metadata_bytes", "bigint", zero)
    .addColumn("kind", text)
    .addColumn("platform", text)
    .addUniqueConstraint("image_manifest_repository_id_digest_key", ["repository_id", "digest"]),
  schema
    .createIndex("image_manifest_deleted")
    .on("image_manifest")
    .column("repository_id")
    .where(sql<boolean>`deleted_at is not null`),
  schema.createIndex("image_manifest_digest").on("image_manifest").column("digest"),
  schema.createIndex("image_manifest_kept").on("image_manifest").columns(["repository_id", "kept_until"]),
  schema
    .createIndex("image_manifest_referrer")
    .on("image_manifest")
    .columns(["repository_id", "subject", "digest"])
    .where(sql<boolean>`subject is not null`),
  schema
    .createIndex("image_manifest_subject")
    .on("image_manifest")
    .columns(["repository_id", "subject"])
    .expression(sql`coalesce(artifact_type, config_media_type)`)
    .column("digest")
    .where(sql<boolean>`subject is not null`),

  // long contents are beside the rows of manifests, so that only queries that need them read them
  schema
    .createTable("manifest_piece")
    .addColumn("manifest_id", text, partOf("image_manifest.id"))
    .addColumn("starts_at", "bigint", notNull)
    .addColumn("piece", text, notNull)
    .addPrimaryKeyConstraint("manifest_piece_pkey", ["manifest_id", "starts_at"]),

  schema
    .createTable("manifest_blob")
    .addColumn("manifest_id", text, partOf("image_manifest.id"))
    .addColumn("digest", text, notNull)
    .addPrimaryKeyConstraint("manifest_blob_pkey", ["manifest_id", "digest"]),
  schema.createIndex("manifest_blob_digest").on("manifest_blob").column("digest"),

  schema
    .createTable("manifest_child")
    .addColumn("manifest_id", text, partOf("image_manifest.id"))
    .addColumn("child_id", text, partOf("image_manifest.id"))
    .addPrimaryKeyConstraint("manifest_child_pkey", ["manifest_id", "child_id"]),
  schema.createIndex("manifest_child_child").on("manifest_child").column("child_id"),

  schema
    .createTable("manifest_label")
    .addColumn("id", text, primaryKey)
    .addColumn("manifest_id", text, partOf("image_manifest.id"))
    .addColumn("key", text, notNull)
    .addColumn("value", text, notNull)
    .addColumn("source_type", text, notNull)
    .addColumn("media_type", text, notNull)
    .addColumn("created_at", "bigint", notNull),
  schema.createIndex("manifest_label_key").on("manifest_label").columns(["manifest_id", "key", "created_at", "id"]),

  schema
    .createTable("document_attacher")
    .addColumn("manifest_id", text, partOf("image_manifest.id"))
    .addColumn("tag_id", text, notNull)
    .addColumn("account_id", text, partOf("account.id"))
    .addColumn("attached_at", "bigint", notNull)
    .addPrimaryKeyConstraint("document_attacher_pkey", ["manifest_id", "tag_id", "account_id"]),
  schema.createIndex("document_attacher_account").on("document_attacher").column("account_id"),

  schema
    .createTable("tag")
    .addColumn("id", text, primaryKey)
    .addColumn("repository_id", text, partOf("image_repository.id"))
    .addColumn("name", text, notNull)
    .addColumn("manifest_id", text, partOf("image_manifest.id"))
    .addColumn("start_at", "bigint", notNull)
    .addColumn("end_at", "bigint")
    .addColumn("reversion", "integer", notNull)
    .addColumn("immutable_by", text)
    // the database itself refuses to end an immutable tag
    .addCheckConstraint("tag_check", sql`immutable_by is null or end_at is null`),
  // one tag of a name lives at a time, and no two lifetimes end at once
  schema.createIndex("tag_end").unique().on("tag").columns(["repository_id", "name", "end_at"]),
  schema
    .createIndex("tag_ended")
    .on("tag")
    .columns(["repository_id", "end_at"])
    .where(sql<boolean>`end_at is not null`),
  schema.createIndex("tag_manifest").on("tag").columns(["manifest_id", "end_at"]),
  schema
    .createIndex("tag_open")
    .unique()
    .on("tag")
    .columns(["repository_id", "name"])
    .where(sql<boolean>`end_at is null`),
  schema.createIndex("tag_start").on("tag").columns(["repository_id", "start_at desc", "name", "end_at", "id"]),

  schema
    .createTable("namespace_blob")
    .addColumn("namespace_id", text, partOf("account.id"))
    .addColumn("digest", text, notNull)
    .addColumn("size_bytes", "bigint", notNull)
    .addColumn("repositories", "integer", notNull)
    .addPrimaryKeyConstraint("namespace_blob_pkey", ["namespace_id", "digest"]),

  schema
    .createTable("namespace_usage")
    .addColumn("namespace_id", text, (column) => partOf("account.id")(column).primaryKey())
    .addColumn("size_bytes", "bigint", notNull)
    .addColumn("metadata_bytes", "bigint", zero),
];
