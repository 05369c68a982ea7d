import { indexerMigrations } from "@plimsoll/indexer";
import { matcherMigrations } from "@plimsoll/matcher";
import { notifierMigrations } from "@plimsoll/notifier";
import { registryMigrations } from "@plimsoll/registry-api";

/** The migrations of all services. */
export const allMigrations = [indexerMigrations, matcherMigrations, notifierMigrations, registryMigrations];
