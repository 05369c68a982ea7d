import { schemaMigration } from "./schema-migration.ts";

/** What services outside the registry say that their users may do here, and who has left them. */
export const outsideRolesMigration = schemaMigration("0031-outside-roles", [
  "alter table account add column outside_role TEXT",
  "alter table external_login add column role TEXT",
  "alter table external_login add column left_at bigint",
]);
