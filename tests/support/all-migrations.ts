import { indexerMigrations } from "@plimsoll/indexer";
import { matcherMigrations } from "@plimsoll/matcher";
import { notifierMigrations } from "@plimsoll/notifier";
import { registryMigrations } from "@plimsoll/registry";

/** The migrations of all services. */
export const allMigrations = [indexerMigrations, matcherMigrations, notifierMigrations, registryMigrations];
