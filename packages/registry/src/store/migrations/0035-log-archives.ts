import { schemaMigration } from "./schema-migration.ts";

/** Adds the parts of the usage log that were moved into the blob store. */
export const logArchivesMigration = schemaMigration("0035-log-archives", [
  `create table log_archive (id SERIAL, state TEXT not null, from_at bigint not null, from_id bigint not null,
     until_at bigint not null, until_id bigint not null, entries integer not null, digest TEXT not null,
     upload_id TEXT not null, size_bytes bigint not null, created_at bigint not null)`,
  "create unique index log_archive_until on log_archive (until_at, until_id)",
  "create index log_archive_digest on log_archive (digest)",
  "create unique index log_archive_writing on log_archive (state) where state = 'writing'",
]);
