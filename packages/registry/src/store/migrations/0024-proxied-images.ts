import { schemaMigration } from "./schema-migration.ts";

/** Adds the manifests and blobs that caches are fetching, and the last pulls through caches. */
export const proxiedImagesMigration = schemaMigration("0024-proxied-images", [
  `create table proxied_manifest (repository_id TEXT not null references image_repository (id) on delete cascade,
     digest TEXT not null, media_type TEXT not null, content TEXT not null, created_at bigint not null,
     primary key (repository_id, digest))`,
  `create table proxied_blob (repository_id TEXT not null, manifest_digest TEXT not null, digest TEXT not null,
     size_bytes bigint not null, primary key (repository_id, digest, manifest_digest),
     foreign key (repository_id, manifest_digest) references proxied_manifest (repository_id, digest) on delete cascade)`,
  "create index proxied_blob_manifest on proxied_blob (manifest_digest, repository_id)",
  `create table proxied_pull (repository_id TEXT not null references image_repository (id) on delete cascade,
     reference TEXT not null, namespace_id TEXT not null references account (id) on delete cascade,
     digest TEXT not null, pulled_at bigint not null, primary key (repository_id, reference))`,
  "create index proxied_pull_namespace on proxied_pull (namespace_id, pulled_at)",
  "create index proxied_pull_digest on proxied_pull (repository_id, digest)",
  `create table sparse_child (manifest_id TEXT not null references image_manifest (id) on delete cascade,
     digest TEXT not null, primary key (manifest_id, digest))`,
  "create index sparse_child_digest on sparse_child (digest)",
]);
