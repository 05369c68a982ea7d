import { schemaMigration } from "./schema-migration.ts";

/** Adds the vulnerabilities of images for which events were queued. */
export const toldFindingsMigration = schemaMigration("0034-told-findings", [
  `create table told_finding (manifest_id TEXT not null references image_manifest (id) on delete cascade,
     name TEXT not null, priority TEXT not null, told_at bigint not null, primary key (manifest_id, name, priority))`,
]);
