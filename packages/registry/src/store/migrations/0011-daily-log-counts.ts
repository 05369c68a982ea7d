import { schemaMigration } from "./schema-migration.ts";

/** Adds the counts of the usage log by day and kind: for each namespace, for entries without one (empty id), and for all entries (`*`). */
export const dailyLogCountsMigration = schemaMigration("0011-daily-log-counts", [
  `create table daily_log_count (namespace_id TEXT not null, day integer not null, kind TEXT not null, count bigint not null,
     primary key (namespace_id, day, kind))`,
]);
