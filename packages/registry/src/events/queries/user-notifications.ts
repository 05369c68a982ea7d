import { inChunks } from "../../store/bounded-reads.ts";
import type { NewRow, RegistryDb } from "../../store/tables/all.ts";

/** Removes the notifications of requested authorizations for an application, or for all applications of an organization. */
export async function deleteAssignmentNotifications(
  db: RegistryDb,
  of: { readonly clientId: string } | { readonly organizationId: string },
): Promise<void> {
  const applications = db.selectFrom("oauth_application").select("client_id");
  const clientIds =
    "clientId" in of
      ? applications.where("client_id", "=", of.clientId)
      : applications.where("organization_id", "=", of.organizationId);
  const ids = db.selectFrom("oauth_assignment").select("id").where("client_id", "in", clientIds);
  await db.deleteFrom("user_notification").where("id", "in", ids).execute();
}

/** Removes the notifications of invitations into teams. */
export async function deleteInviteNotifications(db: RegistryDb, teamIds: readonly string[]): Promise<void> {
  for (const ids of inChunks(teamIds)) {
    const invites = db.selectFrom("team_invite").select("id").where("team_id", "in", ids);
    await db.deleteFrom("user_notification").where("id", "in", invites).execute();
  }
}

/** Stores a notification of a user. */
export async function insertNotification(db: RegistryDb, notification: NewRow<"user_notification">): Promise<void> {
  await db.insertInto("user_notification").values(notification).execute();
}

/** A page of the notifications of a user that are not dismissed, the newest first. */
export function listNotificationsOf(
  db: RegistryDb,
  accountId: string,
  { offset, limit }: { readonly offset: number; readonly limit: number },
) {
  return db
    .selectFrom("user_notification")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("dismissed", "=", 0)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .offset(offset)
    .limit(limit)
    .execute();
}

/** Dismisses a notification, or shows it again. */
export async function dismissNotification(db: RegistryDb, id: string, dismissed: 0 | 1): Promise<void> {
  await db.updateTable("user_notification").set({ dismissed }).where("id", "=", id).execute();
}

/** A notification of a user. */
export function findNotification(db: RegistryDb, accountId: string, id: string) {
  return db
    .selectFrom("user_notification")
    .selectAll()
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
}
