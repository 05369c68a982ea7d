import { schemaMigration } from "./schema-migration.ts";

/** Adds indexes of failed builds and mirrors. */
export const failuresMigration = schemaMigration("0045-failures", [
  "create index build_failed on build (created_at, id) where phase in ('error', 'internalerror')",
  "create index repository_mirror_failed on repository_mirror (repository_id) where sync_state = 'FAIL'",
]);
