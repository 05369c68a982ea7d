import type { MigrationSet } from "@plimsoll/store";
import { advisoriesMigration } from "./0001-advisories.ts";
import { droppedRecordsMigration } from "./0002-dropped-records.ts";
import { deltasMigration } from "./0003-deltas.ts";
import { failedUpdatesMigration } from "./0004-failed-updates.ts";
import { firstLoadsMigration } from "./0005-first-loads.ts";
import { updatesInStepsMigration } from "./0006-updates-in-steps.ts";
import { accountsMigration } from "./0007-accounts.ts";

/** The matcher's schema. */
export const matcherMigrations: MigrationSet = {
  service: "matcher",
  migrations: [
    advisoriesMigration,
    droppedRecordsMigration,
    deltasMigration,
    failedUpdatesMigration,
    firstLoadsMigration,
    updatesInStepsMigration,
    accountsMigration,
  ],
};
