import { schemaMigration } from "./schema-migration.ts";

/** Adds the policies by which tags in all repositories of an organization are immutable. */
export const organizationImmutabilityMigration = schemaMigration("0047-organization-immutability", [
  `create table organization_immutability (organization_id TEXT not null primary key references account (id) on delete cascade,
     policies TEXT not null)`,
]);
