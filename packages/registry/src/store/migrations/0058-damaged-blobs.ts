import { schemaMigration } from "./schema-migration.ts";

/** Records which blobs the blob store has lost or damaged: until they are stored again, no repository has them. */
export const damagedBlobsMigration = schemaMigration("0058-damaged-blobs", [
  "alter table blob add column fault text",
  "alter table blob add column damaged_at bigint",
  "create index blob_damaged on blob (damaged_at, digest) where damaged_at is not null",
]);
