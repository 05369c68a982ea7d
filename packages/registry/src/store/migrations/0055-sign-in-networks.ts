import { schemaMigration } from "./schema-migration.ts";

/** Adds the networks from which accounts signed in. */
export const signInNetworksMigration = schemaMigration("0055-sign-in-networks", [
  `create table sign_in_network (account_id TEXT not null references account (id) on delete cascade,
     network TEXT not null, seen_at bigint not null, primary key (account_id, network))`,
  "create index sign_in_network_seen on sign_in_network (account_id, seen_at, network)",
]);
