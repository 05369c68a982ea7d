import { schemaMigration } from "./schema-migration.ts";

/** Counts failed sign-ins as a budget, not as waits that double. Older waits become small counts. */
export const signInBudgetsMigration = schemaMigration("0061-sign-in-budgets", [
  "alter table failed_sign_in drop column failures",
  "alter table failed_sign_in rename column locked_until to spent_until",
  "alter table failed_sign_in add column forgiven_at bigint not null default 0",
]);
