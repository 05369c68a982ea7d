import { schemaMigration } from "./schema-migration.ts";

/** Adds the number of pulls to the counts of a day. For days that were counted before, it is the number of all actions. */
export const dailyPullsMigration = schemaMigration("0050-daily-pulls", [
  "alter table daily_action_count add column pulls integer not null default 0",
  "update daily_action_count set pulls = count",
]);
