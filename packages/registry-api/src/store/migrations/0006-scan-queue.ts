import { schemaMigration } from "./schema-migration.ts";

/**
 * Every image that was not read waits for that, also what was pushed while nobody scanned. What is no image is forgotten when its
 * turn comes.
 */
export const scanQueueMigration = schemaMigration("0006-scan-queue", [
  `insert into manifest_scan (manifest_id, state, reason, attempts, index_state, changed_at)
     select id, 'queued', null, 0, null, created_at from image_manifest where is_index = 0
       and not exists (select 1 from manifest_scan where manifest_scan.manifest_id = image_manifest.id)`,
  "create index manifest_scan_queued on manifest_scan (changed_at) where state = 'queued'",
  "create index manifest_scan_ended on manifest_scan (index_state, changed_at) where state != 'queued'",
]);
