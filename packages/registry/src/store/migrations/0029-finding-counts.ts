import { schemaMigration } from "./schema-migration.ts";

/** Adds the vulnerability counts of images. Images that were scanned before have no counts until they are counted, and are due at once. */
export const findingCountsMigration = schemaMigration("0029-finding-counts", [
  `create table finding_count (manifest_id TEXT not null primary key references image_manifest (id) on delete cascade,
     critical integer, high integer, medium integer, low integer, negligible integer, unknown integer,
     fixable integer, exploited integer, is_partial integer, data_state TEXT, counted_at bigint, due_at bigint not null)`,
  "create index finding_count_due on finding_count (due_at)",
  `insert into finding_count (manifest_id, due_at)
     select manifest_id, 0 from manifest_scan where state = 'scanned'`,
]);
