import { type MigrationSet, schemaMigration } from "@plimsoll/store";
import { notifierSchema } from "./0001-schema.ts";

/** The notifier's schema. */
export const notifierMigrations: MigrationSet = {
  service: "notifier",
  migrations: [schemaMigration("0001-schema", notifierSchema)],
  replaces: { names: ["0001-notifications", "0002-staged-changes", "0003-subscribers"] },
};
