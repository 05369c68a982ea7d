import { deleteAssignmentNotifications, deleteInviteNotifications } from "../events/queries/user-notifications.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { removePersonalBelongings } from "./queries/personal-belongings.ts";

/** What a namespace has besides repositories: what it made, and its part in what others made. */
export async function removeBelongings(db: RegistryDb, id: string): Promise<void> {
  await db
    .deleteFrom("account")
    .where("id", "in", (of) => of.selectFrom("robot").select("account_id").where("owner_id", "=", id))
    .execute();
  const teams = await db.selectFrom("team").select("id").where("organization_id", "=", id).execute();
  await deleteInviteNotifications(
    db,
    teams.map((team) => team.id),
  );
  await db.deleteFrom("user_notification").where("about_id", "=", id).execute();
  await deleteAssignmentNotifications(db, { organizationId: id });
  for (const table of ["team", "oauth_application", "prototype", "proxy_cache"] as const) {
    await db.deleteFrom(table).where("organization_id", "=", id).execute();
  }
  for (const table of ["quota", "prune_policy"] as const) {
    await db.deleteFrom(table).where("namespace_id", "=", id).execute();
  }
  await db.deleteFrom("session").where("account_id", "=", id).execute();
  await removePersonalBelongings(db, id);
}
