import { schemaMigration } from "./schema-migration.ts";

/** Adds the build logs that were moved into the blob store. The row stays after its build is deleted, until its file is deleted too. */
export const buildLogArchivesMigration = schemaMigration("0042-build-log-archives", [
  `create table build_log_archive (id TEXT primary key not null, build_id TEXT references build (id) on delete set null, state TEXT not null,
     entries integer not null, digest TEXT not null, size_bytes bigint not null)`,
  "create unique index build_log_archive_build on build_log_archive (build_id)",
  "create index build_log_archive_digest on build_log_archive (digest)",
]);
