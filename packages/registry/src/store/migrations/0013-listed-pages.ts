import { schemaMigration } from "./schema-migration.ts";

/** Adds indexes in whose order the pages of lists are read. */
export const listedPagesMigration = schemaMigration("0013-listed-pages", [
  "drop index team_invite_team",
  "create index team_invite_team on team_invite (team_id, created_at, id)",
  "drop index oauth_token_account",
  "create index oauth_token_account on oauth_token (account_id, created_at desc, id desc)",
  "drop index oauth_assignment_account",
  "create index oauth_assignment_account on oauth_assignment (account_id, created_at desc, id desc)",
  "drop index app_token_account",
  "create index app_token_account on app_token (account_id, created_at desc, id desc)",
  "create index repository_notification_made on repository_notification (repository_id, created_at, id)",
]);
