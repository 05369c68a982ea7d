import { schemaMigration } from "./schema-migration.ts";

/** Adds the blobs that are being removed from the blob store, and an index of uploads by digest. */
export const blobRemovalsMigration = schemaMigration("0049-blob-removals", [
  "create table blob_removal (digest TEXT not null primary key)",
  "create index upload_by_digest on upload (digest)",
]);
