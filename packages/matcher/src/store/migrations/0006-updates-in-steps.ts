import type { Migration } from "@plimsoll/store";
import { type Kysely, sql } from "kysely";
import { create } from "./staging.ts";

/**
 * Lets an update be written in short transactions before it is visible: rules are valid for an interval of operations, as advisories are, and
 * `updater` has the visible operation.
 */
export const updatesInStepsMigration: Migration = {
  name: "0006-updates-in-steps",
  async up(db, kind) {
    await run(db, [
      "alter table updater add column seq bigint not null default 0",
      "update updater set seq = coalesce((select max(o.seq) from update_operation o where o.updater = updater.name), 0)",
      "alter table first_load rename to running_update",
      "alter table current_rules rename to earlier_rules",
    ]);
    await create(db, kind, kind === "sqlite" ? `${currentRules} without rowid` : currentRules);
    await run(db, [
      "insert into current_rules select ecosystem, package_name, updater, 0, null, rules from earlier_rules",
      "drop table earlier_rules",
      "create index current_rules_ended on current_rules (updater, valid_to) where valid_to is not null",
    ]);
  },
};

const currentRules = `create table current_rules (ecosystem TEXT not null, package_name TEXT not null, updater TEXT not null,
  valid_from bigint not null, valid_to bigint, rules TEXT not null, primary key (ecosystem, package_name, updater, valid_from))`;

async function run(db: Kysely<unknown>, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
