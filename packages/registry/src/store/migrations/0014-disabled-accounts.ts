import { schemaMigration } from "./schema-migration.ts";

/** Adds an index of the few disabled accounts. Searches exclude their repositories, for which PostgreSQL read all accounts before. */
export const disabledAccountsMigration = schemaMigration("0014-disabled-accounts", [
  "create index account_disabled on account (id) where enabled = 0",
]);
