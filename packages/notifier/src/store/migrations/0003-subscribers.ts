import type { Migration } from "@plimsoll/store";
import { sql } from "kysely";

const staged = (text: string) => `subscriber ${text} not null, updater ${text} not null, manifest ${text} not null,
  vulnerability integer not null, is_added integer not null,
  primary key (subscriber, updater, manifest, vulnerability, is_added)`;

/**
 * Adds subscribers, each with its own record of processed operations, and marks sets that are the first of their updater.
 */
export const subscribersMigration: Migration = {
  name: "0003-subscribers",
  async up(db, kind) {
    const statements = [
      "alter table notification_set add column subscriber text not null default 'transport'",
      "alter table notification_set add column is_first integer not null default 0",
      "alter table notified_operation rename to notified_operation_before",
      `create table notified_operation (subscriber text not null, ref text not null, updater text not null,
         recorded_at bigint not null, primary key (subscriber, ref))`,
      `insert into notified_operation (subscriber, ref, updater, recorded_at)
         select 'transport', ref, updater, recorded_at from notified_operation_before`,
      "drop table notified_operation_before",
      "create index notified_operation_updater on notified_operation (subscriber, updater)",
      "alter table staged_change rename to staged_change_before",
      kind === "sqlite"
        ? `create table staged_change (${staged("text")}) without rowid`
        : `create unlogged table staged_change (${staged('text collate "C"')})`,
      `insert into staged_change (subscriber, updater, manifest, vulnerability, is_added)
         select 'transport', updater, manifest, vulnerability, is_added from staged_change_before`,
      "drop table staged_change_before",
    ];
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
