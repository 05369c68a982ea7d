import { schemaMigration } from "./schema-migration.ts";

/** What a build is made from, where that is no archive at an address: JSON. */
export const buildSourcesMigration = schemaMigration("0037-build-sources", [
  "alter table build add column source TEXT",
]);
