import { schemaMigration } from "./schema-migration.ts";

/**
 * Adds the vulnerability counts of repositories by day, for days on which they changed, and when each vulnerability was first found in an image. For
 * vulnerabilities that were found before, that is not known.
 */
export const findingTrendsMigration = schemaMigration("0041-finding-trends", [
  `create table daily_finding_count (repository_id TEXT not null references image_repository (id) on delete cascade, day TEXT not null,
     critical integer not null, high integer not null, medium integer not null, low integer not null, negligible integer not null,
     unknown integer not null, fixable integer not null, exploited integer not null,
     images integer not null, uncounted integer not null, partial integer not null, primary key (repository_id, day))`,
  "alter table found_vulnerability add column found_at bigint",
  "alter table found_vulnerability add column is_alias integer not null default 0",
  "alter table finding_count add column news_at bigint",
]);
