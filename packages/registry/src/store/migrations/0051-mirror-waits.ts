import { schemaMigration } from "./schema-migration.ts";

/** Adds until when a mirror does not ask its registry, which limits the rate of requests. */
export const mirrorWaitsMigration = schemaMigration("0051-mirror-waits", [
  "alter table repository_mirror add column sync_waits_until bigint",
]);
