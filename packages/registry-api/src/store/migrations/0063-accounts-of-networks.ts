import { schemaMigration } from "./schema-migration.ts";

/** Lets the accounts that signed in from a network be looked up. */
export const accountsOfNetworksMigration = schemaMigration("0063-accounts-of-networks", [
  "create index sign_in_network_network on sign_in_network (network, seen_at)",
]);
