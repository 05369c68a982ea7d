import { schemaMigration } from "./schema-migration.ts";

/** Adds the vulnerabilities of images, by each of their names in lower case. They are deleted with the counts of the image. */
export const foundVulnerabilitiesMigration = schemaMigration("0030-found-vulnerabilities", [
  `create table found_vulnerability (manifest_id TEXT not null references finding_count (manifest_id) on delete cascade,
     name TEXT not null, severity TEXT not null, has_fix integer not null, is_exploited integer not null,
     primary key (manifest_id, name))`,
  "create index found_vulnerability_name on found_vulnerability (name, manifest_id)",
]);
