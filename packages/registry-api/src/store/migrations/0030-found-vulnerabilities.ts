import { schemaMigration } from "./schema-migration.ts";

/** Which vulnerabilities were counted of an image, by each of their names in small letters. They go with the counts. */
export const foundVulnerabilitiesMigration = schemaMigration("0030-found-vulnerabilities", [
  `create table found_vulnerability (manifest_id TEXT not null references finding_count (manifest_id) on delete cascade,
     name TEXT not null, severity TEXT not null, has_fix integer not null, is_exploited integer not null,
     primary key (manifest_id, name))`,
  "create index found_vulnerability_name on found_vulnerability (name, manifest_id)",
]);
