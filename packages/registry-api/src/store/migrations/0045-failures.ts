import { schemaMigration } from "./schema-migration.ts";

/** Finds the builds and mirrors that failed without reading those that did not. */
export const failuresMigration = schemaMigration("0045-failures", [
  "create index build_failed on build (created_at, id) where phase in ('error', 'internalerror')",
  "create index repository_mirror_failed on repository_mirror (repository_id) where sync_state = 'FAIL'",
]);
