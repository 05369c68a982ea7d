import { schemaMigration } from "./schema-migration.ts";

/** Which blobs are being removed from their store, and an index for the uploads that become a blob. */
export const blobRemovalsMigration = schemaMigration("0049-blob-removals", [
  "create table blob_removal (digest TEXT not null primary key)",
  "create index upload_by_digest on upload (digest)",
]);
