import type { OperationContext } from "../context.ts";
import { invalidRequest, notFound } from "../errors.ts";
import { listRolesOf, listTeamsOf } from "../store/account-ties.ts";
import { type AccountRow, findAccount } from "../store/accounts.ts";
import { findGrantee, listUsersOf } from "../store/organization-members.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import {
  type Collaborator,
  collaboratorView,
  type OrganizationMember,
  organizationMemberView,
} from "../views/organization-member.ts";
import { judgeLossNow } from "./last-admin.ts";

/** Shows the users in teams of an organization, by name. */
export async function showMembers(db: RegistryDb, { id }: AccountRow): Promise<readonly OrganizationMember[]> {
  const users = await listUsersOf(db, id, "members");
  const teams = Map.groupBy(await listTeamsOf(db, id, "users"), ({ account_id }) => account_id);
  const grants = Map.groupBy(await listRolesOf(db, id, "users"), ({ account_id }) => account_id);
  return users.map((user) => organizationMemberView(user, teams.get(user.id) ?? [], grants.get(user.id) ?? []));
}

/** Shows the users with roles on repositories of an organization who are in none of its teams, by name. */
export async function showCollaborators(db: RegistryDb, { id }: AccountRow): Promise<readonly Collaborator[]> {
  const users = await listUsersOf(db, id, "collaborators");
  const grants = Map.groupBy(await listRolesOf(db, id, "users"), ({ account_id }) => account_id);
  return users.map((user) => collaboratorView(user, grants.get(user.id) ?? []));
}

/** Shows a user in a team of an organization, or a robot of it. @throws RegistryError `not_found` for anybody else */
export async function showMember(db: RegistryDb, { id }: AccountRow, name: string): Promise<OrganizationMember> {
  const account = await findGrantee(db, id, name);
  if (account === undefined) throw notFound();
  const teams = await listTeamsOf(db, id, [account.id]);
  if (account.kind === "user" && teams.length === 0) throw notFound();
  return organizationMemberView(account, teams, await listRolesOf(db, id, [account.id]));
}

/**
 * Takes a user out of every team of an organization, and their own roles on its repositories away.
 * @throws RegistryError `not_found` when there is no such user, `invalid_request` for the only administrator
 */
export async function removeMember({ db, log }: OperationContext, { id }: AccountRow, name: string): Promise<void> {
  const account = await findAccount(db, name, "user");
  if (account === undefined) throw notFound();
  if ((await judgeLossNow(db, id, { accountId: account.id })) === "nobody") {
    throw invalidRequest("Cannot remove user as they are the only organization admin");
  }
  const memberships = await db
    .deleteFrom("team_member")
    .where("account_id", "=", account.id)
    .where("team_id", "in", (of) => of.selectFrom("team").select("id").where("organization_id", "=", id))
    .executeTakeFirst();
  const grants = await db
    .deleteFrom("account_permission")
    .where("account_id", "=", account.id)
    .where("repository_id", "in", (of) => of.selectFrom("image_repository").select("id").where("namespace_id", "=", id))
    .executeTakeFirst();
  if (memberships.numDeletedRows + grants.numDeletedRows > 0n) await log("org_remove_member", { member: name });
}
