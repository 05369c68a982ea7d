import { schemaMigration } from "./schema-migration.ts";

/** Counts the bytes of manifests and labels for namespaces, besides those of blobs: a quota bounds both. */
export const metadataBytesMigration = schemaMigration("0056-metadata-bytes", [
  "alter table image_manifest add column metadata_bytes bigint not null default 0",
  `update image_manifest set metadata_bytes = size_bytes + coalesce((
     select sum(octet_length(key) + octet_length(value)) from manifest_label where manifest_id = image_manifest.id), 0)`,
  "alter table namespace_usage add column metadata_bytes bigint not null default 0",
  `insert into namespace_usage (namespace_id, size_bytes, metadata_bytes)
     select namespace_id, 0, sum(metadata_bytes) from image_manifest
     join image_repository on image_repository.id = image_manifest.repository_id
     where true group by namespace_id
     on conflict (namespace_id) do update set metadata_bytes = excluded.metadata_bytes`,
]);
