import { schemaMigration } from "./schema-migration.ts";

/**
 * Queues every image that was not scanned, including those that were pushed while the registry had no scanner. Manifests that are not
 * images are removed from the queue when their job runs.
 */
export const scanQueueMigration = schemaMigration("0006-scan-queue", [
  `insert into manifest_scan (manifest_id, state, reason, attempts, index_state, changed_at)
     select id, 'queued', null, 0, null, created_at from image_manifest where is_index = 0
       and not exists (select 1 from manifest_scan where manifest_scan.manifest_id = image_manifest.id)`,
  "create index manifest_scan_queued on manifest_scan (changed_at) where state = 'queued'",
  "create index manifest_scan_ended on manifest_scan (index_state, changed_at) where state != 'queued'",
]);
