import { schemaMigration } from "./schema-migration.ts";

/** The usage log counted by day and kind: of each namespace, of what has none (empty), and of all together (`*`). */
export const dailyLogCountsMigration = schemaMigration("0011-daily-log-counts", [
  `create table daily_log_count (namespace_id TEXT not null, day integer not null, kind TEXT not null, count bigint not null,
     primary key (namespace_id, day, kind))`,
]);
