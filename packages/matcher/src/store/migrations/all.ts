import { type MigrationSet, schemaMigration } from "@plimsoll/store";
import { matcherSchema } from "./0001-schema.ts";

/** The matcher's schema. */
export const matcherMigrations: MigrationSet = {
  service: "matcher",
  migrations: [schemaMigration("0001-schema", matcherSchema)],
  replaces: {
    names: [
      "0001-advisories",
      "0002-dropped-records",
      "0003-deltas",
      "0004-failed-updates",
      "0005-first-loads",
      "0006-updates-in-steps",
      "0007-accounts",
    ],
  },
};
