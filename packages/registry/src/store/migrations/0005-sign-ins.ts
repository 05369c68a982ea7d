import { schemaMigration } from "./schema-migration.ts";

/** Counts failed sign-ins of every login, also of unknown ones. Keeps sessions only of users who have signed in. */
export const signInsMigration = schemaMigration("0005-sign-ins", [
  "create table failed_sign_in (mark TEXT not null primary key, failures integer not null, locked_until bigint not null)",
  "create index failed_sign_in_end on failed_sign_in (locked_until)",
  "delete from session where account_id is null",
  "alter table account drop column failed_sign_ins",
  "alter table account drop column locked_until",
]);
