import { schemaMigration } from "./schema-migration.ts";

/** The few accounts that are disabled: searches leave their repositories out, for which PostgreSQL read all accounts. */
export const disabledAccountsMigration = schemaMigration("0014-disabled-accounts", [
  "create index account_disabled on account (id) where enabled = 0",
]);
