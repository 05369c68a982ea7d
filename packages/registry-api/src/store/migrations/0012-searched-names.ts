import { schemaMigration } from "./schema-migration.ts";

/** Names that people search for by how they begin. */
export const searchedNamesMigration = schemaMigration("0012-searched-names", [
  "create index team_by_name on team (name, organization_id)",
  "create index robot_by_short_name on robot (short_name, owner_id)",
]);
