import type { MigrationSet } from "@plimsoll/store";
import { notificationsMigration } from "./0001-notifications.ts";
import { stagedChangesMigration } from "./0002-staged-changes.ts";

/** The notifier's schema. */
export const notifierMigrations: MigrationSet = {
  service: "notifier",
  migrations: [notificationsMigration, stagedChangesMigration],
};
