import { schemaMigration } from "./schema-migration.ts";

/** Adds the source of a build as JSON, if it is not an archive at an address. */
export const buildSourcesMigration = schemaMigration("0037-build-sources", [
  "alter table build add column source TEXT",
]);
