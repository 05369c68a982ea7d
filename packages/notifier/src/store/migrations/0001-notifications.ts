import type { Migration } from "@plimsoll/store";
import { sql } from "kysely";

const statements = [
  "create table notified_operation (ref text not null primary key, updater text not null, recorded_at bigint not null)",
  "create index notified_operation_updater on notified_operation (updater)",
  `create table notification_set (id text not null primary key, ref text not null, updater text not null,
     state text not null, notifications integer not null, created_at bigint not null, changed_at bigint not null,
     last_error text)`,
  "create index notification_set_expiry on notification_set (changed_at)",
  `create table notified_vulnerability (set_id text not null references notification_set (id) on delete cascade,
     number integer not null, summary text not null, primary key (set_id, number))`,
  `create table notification (set_id text not null references notification_set (id) on delete cascade,
     seq integer not null, id text not null, manifest text not null, reason text not null,
     vulnerability integer not null, primary key (set_id, seq))`,
];

/** The first schema: processed operations, sets and their notifications. */
export const notificationsMigration: Migration = {
  name: "0001-notifications",
  async up(db) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
