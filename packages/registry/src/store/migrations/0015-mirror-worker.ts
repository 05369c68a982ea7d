import { schemaMigration } from "./schema-migration.ts";

/**
 * Cancels the runs of mirrors that were requested before there was a worker for them. By setting the retries to 0, no mirror is due at
 * once: each waits until it is due again.
 */
export const mirrorWorkerMigration = schemaMigration("0015-mirror-worker", [
  "delete from jobs where kind = 'registry.sync-mirror'",
  `update repository_mirror set sync_retries = 0, sync_expires_at = null,
     sync_state = case when sync_state in ('SYNC_NOW', 'SYNCING') then 'CANCEL' else sync_state end`,
]);
