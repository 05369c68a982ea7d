import { inChunks } from "../../store/bounded-reads.ts";
import type { RegistryDb } from "../../store/tables/all.ts";

/** Removes the notifications of what users are asked for an application, or for all of an organization. */
export async function deleteAssignmentNotifications(
  db: RegistryDb,
  of: { readonly clientId: string } | { readonly organizationId: string },
): Promise<void> {
  const applications = db.selectFrom("oauth_application").select("client_id");
  const asked =
    "clientId" in of
      ? applications.where("client_id", "=", of.clientId)
      : applications.where("organization_id", "=", of.organizationId);
  const ids = db.selectFrom("oauth_assignment").select("id").where("client_id", "in", asked);
  await db.deleteFrom("user_notification").where("id", "in", ids).execute();
}

/** Removes the notifications of invitations into teams. */
export async function deleteInviteNotifications(db: RegistryDb, teamIds: readonly string[]): Promise<void> {
  for (const ids of inChunks(teamIds)) {
    const invites = db.selectFrom("team_invite").select("id").where("team_id", "in", ids);
    await db.deleteFrom("user_notification").where("id", "in", invites).execute();
  }
}
