import { schemaMigration } from "./schema-migration.ts";

/** Adds indexes for the search of names by their prefix. */
export const searchedNamesMigration = schemaMigration("0012-searched-names", [
  "create index team_by_name on team (name, organization_id)",
  "create index robot_by_short_name on robot (short_name, owner_id)",
]);
