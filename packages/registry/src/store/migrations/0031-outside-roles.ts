import { schemaMigration } from "./schema-migration.ts";

/** Adds the roles in the registry that external services give their users, and when a directory no longer had a user. */
export const outsideRolesMigration = schemaMigration("0031-outside-roles", [
  "alter table account add column outside_role TEXT",
  "alter table external_login add column role TEXT",
  "alter table external_login add column left_at bigint",
]);
