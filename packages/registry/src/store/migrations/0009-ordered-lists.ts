import { schemaMigration } from "./schema-migration.ts";

/** Adds indexes in whose order long lists are read. */
export const orderedListsMigration = schemaMigration("0009-ordered-lists", [
  "drop index team_member_account",
  "create index team_member_account on team_member (account_id, team_id)",
  "drop index oauth_token_client",
  "create index oauth_token_client on oauth_token (client_id, created_at desc, id desc)",
]);
