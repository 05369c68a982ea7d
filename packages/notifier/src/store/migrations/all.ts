import type { MigrationSet } from "@plimsoll/store";
import { notificationsMigration } from "./0001-notifications.ts";

/** The notifier's schema. */
export const notifierMigrations: MigrationSet = { service: "notifier", migrations: [notificationsMigration] };
