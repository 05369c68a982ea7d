import { schemaMigration } from "./schema-migration.ts";

/** The vulnerabilities of images that notifications were told of. */
export const toldFindingsMigration = schemaMigration("0034-told-findings", [
  `create table told_finding (manifest_id TEXT not null references image_manifest (id) on delete cascade,
     name TEXT not null, priority TEXT not null, told_at bigint not null, primary key (manifest_id, name, priority))`,
]);
