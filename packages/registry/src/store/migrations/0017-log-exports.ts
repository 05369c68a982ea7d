import { schemaMigration } from "./schema-migration.ts";

/** Adds the usage logs that were exported into the blob store, until their links expire. */
export const logExportsMigration = schemaMigration("0017-log-exports", [
  `create table log_export (id TEXT not null primary key, file_hash TEXT, digest TEXT, size_bytes bigint,
     created_at bigint not null, expires_at bigint not null)`,
  "create unique index log_export_file on log_export (file_hash) where file_hash is not null",
  "create index log_export_expires on log_export (expires_at)",
]);
