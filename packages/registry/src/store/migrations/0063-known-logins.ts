import { schemaMigration } from "./schema-migration.ts";

/** Lets the accounts that signed in from a network be looked up, and adds the logins by which a directory knows accounts. */
export const knownLoginsMigration = schemaMigration("0063-known-logins", [
  "create index sign_in_network_network on sign_in_network (network, seen_at)",
  `create table directory_login (login TEXT primary key,
     account_id TEXT not null references account (id) on delete cascade, seen_at bigint not null)`,
  "create index directory_login_account on directory_login (account_id, seen_at)",
]);
