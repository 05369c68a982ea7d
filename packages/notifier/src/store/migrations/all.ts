import type { MigrationSet } from "@plimsoll/store";
import { notificationsMigration } from "./0001-notifications.ts";
import { stagedChangesMigration } from "./0002-staged-changes.ts";
import { subscribersMigration } from "./0003-subscribers.ts";

/** The notifier's schema. */
export const notifierMigrations: MigrationSet = {
  service: "notifier",
  migrations: [notificationsMigration, stagedChangesMigration, subscribersMigration],
};
