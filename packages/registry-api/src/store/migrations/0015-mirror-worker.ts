import { schemaMigration } from "./schema-migration.ts";

/**
 * Runs of mirrors that were asked for while nothing did them are over, and none is due at once: without retries, a mirror waits for
 * its next turn.
 */
export const mirrorWorkerMigration = schemaMigration("0015-mirror-worker", [
  "delete from jobs where kind = 'registry.sync-mirror'",
  `update repository_mirror set sync_retries = 0, sync_expires_at = null,
     sync_state = case when sync_state in ('SYNC_NOW', 'SYNCING') then 'CANCEL' else sync_state end`,
]);
