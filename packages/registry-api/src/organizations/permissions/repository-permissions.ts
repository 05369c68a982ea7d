import { type AccountRow, findAccount, findTeam, type ImageRepository } from "@plimsoll/registry/access/queries";
import type { CallContext } from "@plimsoll/registry/context";
import { invalidRequest, notFound } from "@plimsoll/registry/errors";
import { byId, byName, type ListPage, type ListPageQuery, readListPage } from "@plimsoll/registry/lists/list-pages";
import {
  type AccountGrant,
  deleteAccountGrant,
  deleteTeamGrant,
  findAccountGrant,
  findTeamGrant,
  listAccountGrants,
  listTeamGrants,
  listTransitiveRoles,
  putAccountGrant,
  putTeamGrant,
  type TransitiveKey,
  type TransitiveRole,
} from "@plimsoll/registry/organizations/permissions/queries/repository-permissions";
import {
  findGrantee,
  findOrganizationMembers,
} from "@plimsoll/registry/organizations/teams/queries/organization-members";
import type { RepositoryRole } from "@plimsoll/registry/store/tables/accounts";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { type TeamPermission, teamPermission, type UserPermission, userPermission } from "./views.ts";

/** A page of the roles of users and robots on a repository, sorted by name. */
export async function showUserPermissions(
  context: CallContext,
  repository: ImageRepository,
  query: ListPageQuery,
): Promise<ListPage<UserPermission>> {
  const list = { list: "users with roles", ownerId: repository.id, query, ...byId } as const;
  const page = await readListPage(context, list, (from) => listAccountGrants(context.db, repository.id, from));
  const grants = byName(page.rows, ({ username }) => username);
  return { ...page, rows: await viewsOf(context.db, repository, grants) };
}

/** A page of the roles of teams on a repository, sorted by name. */
export async function showTeamPermissions(
  context: CallContext,
  { id: ownerId }: ImageRepository,
  query: ListPageQuery,
): Promise<ListPage<TeamPermission>> {
  const list = { list: "teams with roles", ownerId, query, ...byId } as const;
  const page = await readListPage(context, list, (from) => listTeamGrants(context.db, ownerId, from));
  return { ...page, rows: byName(page.rows, ({ name }) => name).map(teamPermission) };
}

async function viewsOf(
  db: RegistryDb,
  repository: ImageRepository,
  grants: readonly AccountGrant[],
): Promise<readonly UserPermission[]> {
  const ids = grants.map(({ id }) => id);
  const isOfOrganization = repository.namespaceKind === "organization";
  const members = isOfOrganization ? await findOrganizationMembers(db, repository.namespace_id, ids) : undefined;
  return grants.map((grant) => userPermission(grant, members));
}

/** The role of one user or robot. @throws RegistryError `invalid_request` when there is none */
export async function getUserPermission(
  db: RegistryDb,
  repository: ImageRepository,
  username: string,
): Promise<UserPermission> {
  const grant = await findAccountGrant(db, repository.id, username);
  const [permission] = grant === undefined ? [] : await viewsOf(db, repository, [grant]);
  if (permission === undefined) throw invalidRequest("User does not have permission for repo.");
  return permission;
}

/** Grants a user, or a robot of the namespace, a role, which replaces an earlier one. @throws RegistryError `invalid_request` */
export async function putUserPermission(
  db: RegistryDb,
  repository: ImageRepository,
  { username, role }: { readonly username: string; readonly role: RepositoryRole },
): Promise<UserPermission> {
  const { id: accountId } = await getGrantee(db, repository, username);
  await putAccountGrant(db, { repositoryId: repository.id, accountId, role });
  return getUserPermission(db, repository, username);
}

async function getGrantee(db: RegistryDb, repository: ImageRepository, username: string): Promise<AccountRow> {
  checkIsNotOwner(repository, username);
  const grantee = await findGrantee(db, repository.namespace_id, username);
  if (grantee !== undefined) return grantee;
  const robot = await findAccount(db, username, "robot");
  if (robot === undefined) throw invalidRequest(`Invalid username: ${username}`);
  throw invalidRequest(`Cannot add robot ${username} under namespace ${repository.namespace}`);
}

/** Revokes the role of a user or robot. @throws RegistryError `invalid_request` when there is none */
export async function deleteUserPermission(
  db: RegistryDb,
  repository: ImageRepository,
  username: string,
): Promise<void> {
  checkIsNotOwner(repository, username);
  const grant = await findAccountGrant(db, repository.id, username);
  if (grant === undefined) throw invalidRequest("User does not have permission for repo.");
  await deleteAccountGrant(db, repository.id, grant.id);
}

function checkIsNotOwner({ namespace }: ImageRepository, username: string): void {
  if (username === namespace) throw invalidRequest("Namespace owner must always be admin.");
}

/** The roles that a user or robot has by grants and teams. @throws RegistryError `not_found` when there are none */
export async function getTransitiveRoles(
  context: CallContext,
  repository: ImageRepository,
  { username, query }: { readonly username: string; readonly query: ListPageQuery },
): Promise<ListPage<TransitiveRole>> {
  const account = await findAccount(context.db, username, "user", "robot");
  if (account === undefined) throw notFound(`There is no user or robot ${username}`);
  const place = { repositoryId: repository.id, accountId: account.id };
  const first: TransitiveKey = ["", ""];
  const keyOf = ({ via }: TransitiveRole): TransitiveKey => (via === undefined ? ["own", ""] : ["team", via]);
  const ownerId = `${place.accountId} on ${place.repositoryId}`;
  const page = await readListPage(context, { list: "transitive roles", ownerId, query, first, keyOf }, (from) =>
    listTransitiveRoles(context.db, place, from),
  );
  if (page.rows.length === 0 && !query.next_page)
    throw notFound(`${username} has no role on the repository: grant one to the account or to one of its teams`);
  return page;
}

/** The role of one team. @throws RegistryError `invalid_request` when there is none */
export async function getTeamPermission(
  db: RegistryDb,
  repository: ImageRepository,
  teamName: string,
): Promise<TeamPermission> {
  const grant = await findTeamGrant(db, repository.id, teamName);
  if (grant === undefined) throw invalidRequest("Team does not have permission for repo.");
  return teamPermission(grant);
}

/** Grants a team of the organization a role, which replaces an earlier one. @throws RegistryError `invalid_request` */
export async function putTeamPermission(
  db: RegistryDb,
  repository: ImageRepository,
  { teamName, role }: { readonly teamName: string; readonly role: RepositoryRole },
): Promise<TeamPermission> {
  const team = await findTeam(db, repository.namespace_id, teamName);
  if (team === undefined) throw invalidRequest(`No team ${teamName} in organization ${repository.namespace}`);
  await putTeamGrant(db, { repositoryId: repository.id, teamId: team.id, role });
  return getTeamPermission(db, repository, teamName);
}

/** Revokes the role of a team. @throws RegistryError `invalid_request` when there is none */
export async function deleteTeamPermission(
  db: RegistryDb,
  repository: ImageRepository,
  teamName: string,
): Promise<void> {
  const grant = await findTeamGrant(db, repository.id, teamName);
  if (grant === undefined) throw invalidRequest("Team does not have permission for repo.");
  await deleteTeamGrant(db, repository.id, grant.id);
}
