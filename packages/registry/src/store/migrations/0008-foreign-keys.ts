import { schemaMigration } from "./schema-migration.ts";

/** Adds an index for each foreign key, since deleting a row searches for the rows that refer to it. */
export const foreignKeysMigration = schemaMigration("0008-foreign-keys", [
  "create index team_invite_inviter on team_invite (inviter_id)",
  "create index prototype_activating on prototype (activating_id) where activating_id is not null",
  "create index prototype_delegate_account on prototype (delegate_account_id) where delegate_account_id is not null",
  "create index prototype_delegate_team on prototype (delegate_team_id) where delegate_team_id is not null",
  "create index oauth_code_client on oauth_code (client_id)",
  "create index oauth_code_account on oauth_code (account_id)",
  "create index upload_repository on upload (repository_id)",
  "create index email_code_account on email_code (account_id) where account_id is not null",
  "create index build_manual_account on build (manual_account_id) where manual_account_id is not null",
  "create index build_pull_robot on build (pull_robot_id) where pull_robot_id is not null",
  "create index service_key_approver on service_key (approver_id) where approver_id is not null",
]);
