import type { Selectable } from "kysely";
import type { CreationKey, ReadFrom } from "../../../lists/read-from.ts";
import type { OAuthAssignmentTable } from "../../../store/tables/accounts.ts";
import type { NewRow, RegistryDb } from "../../../store/tables/all.ts";

/** An assignment as it is stored. */
export type OAuthAssignment = Selectable<OAuthAssignmentTable>;

/** A request to a user to grant a token, by its id. */
export async function findAssignment(
  db: RegistryDb,
  { id, accountId }: { readonly id: string; readonly accountId: string },
): Promise<OAuthAssignment | undefined> {
  const assignments = db.selectFrom("oauth_assignment").selectAll().where("id", "=", id);
  return assignments.where("account_id", "=", accountId).executeTakeFirst();
}

/** Some open requests to a user to grant tokens, with the applications and their organizations; the newest first. */
export function listAssignments(db: RegistryDb, accountId: string, { after, limit }: ReadFrom<CreationKey>) {
  return db
    .selectFrom("oauth_assignment")
    .innerJoin("oauth_application", "oauth_application.client_id", "oauth_assignment.client_id")
    .innerJoin("account", "account.id", "oauth_application.organization_id")
    .selectAll("oauth_application")
    .select(["oauth_assignment.id as uuid", "oauth_assignment.scope", "oauth_assignment.redirect_uri as redirectUri"])
    .select(["oauth_assignment.created_at as madeAt", "account.username", "account.email"])
    .where("oauth_assignment.account_id", "=", accountId)
    .where(({ eb, refTuple, tuple }) =>
      eb(refTuple("oauth_assignment.created_at", "oauth_assignment.id"), "<", tuple(...after)),
    )
    .orderBy("oauth_assignment.created_at", "desc")
    .orderBy("oauth_assignment.id", "desc")
    .limit(limit)
    .execute();
}

/** Deletes a request to a user to grant a token, and the notification about it. @returns false if there is no such request */
export async function deleteAssignment(
  db: RegistryDb,
  { id, accountId }: { readonly id: string; readonly accountId: string },
): Promise<boolean> {
  const assignments = db.deleteFrom("oauth_assignment").where("id", "=", id).where("account_id", "=", accountId);
  const deleted = await assignments.returning("id").executeTakeFirst();
  if (deleted === undefined) return false;
  await db.deleteFrom("user_notification").where("id", "=", id).execute();
  return true;
}

/** Whether the same request to the user is stored already. */
export async function isAssigned(
  db: RegistryDb,
  row: {
    readonly client_id: string;
    readonly account_id: string;
    readonly scope: string;
    readonly redirect_uri: string;
  },
): Promise<boolean> {
  const { client_id, account_id, scope, redirect_uri } = row;
  const same = await db
    .selectFrom("oauth_assignment")
    .select("id")
    .where("account_id", "=", account_id)
    .where("client_id", "=", client_id)
    .where("scope", "=", scope)
    .where("redirect_uri", "=", redirect_uri)
    .executeTakeFirst();
  return same !== undefined;
}

/** Stores a request to a user to grant a token. */
export async function insertAssignment(db: RegistryDb, assignment: NewRow<"oauth_assignment">): Promise<void> {
  await db.insertInto("oauth_assignment").values(assignment).execute();
}
