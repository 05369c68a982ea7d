import type { RegistryDb } from "../../../store/tables/all.ts";

/** The tables with personal rows of an account, by `account_id`. */
export const personalTables = [
  "email_code",
  "external_login",
  "directory_login",
  "team_member",
  "team_invite",
  "oauth_token",
  "oauth_code",
  "oauth_assignment",
  "app_token",
  "user_notification",
  "account_permission",
  "repository_star",
] as const;

/**
 * Removes the personal rows of an account: credentials except its password and its sessions, memberships, grants, default permissions,
 * messages, stars.
 */
export async function removePersonalBelongings(db: RegistryDb, accountId: string): Promise<void> {
  for (const table of personalTables) await db.deleteFrom(table).where("account_id", "=", accountId).execute();
  await db
    .deleteFrom("prototype")
    .where((where) => where.or([where("activating_id", "=", accountId), where("delegate_account_id", "=", accountId)]))
    .execute();
}
