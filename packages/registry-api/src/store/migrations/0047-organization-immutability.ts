import { schemaMigration } from "./schema-migration.ts";

/** Which tags of all repositories of an organization nothing may change. */
export const organizationImmutabilityMigration = schemaMigration("0047-organization-immutability", [
  `create table organization_immutability (organization_id TEXT not null primary key references account (id) on delete cascade,
     policies TEXT not null)`,
]);
