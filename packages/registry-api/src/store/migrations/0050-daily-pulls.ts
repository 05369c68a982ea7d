import { schemaMigration } from "./schema-migration.ts";

/** Counts the pulls of a day beside everything that was done. Days that were counted before keep what is known of them: all actions. */
export const dailyPullsMigration = schemaMigration("0050-daily-pulls", [
  "alter table daily_action_count add column pulls integer not null default 0",
  "update daily_action_count set pulls = count",
]);
