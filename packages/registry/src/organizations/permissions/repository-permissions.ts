import { type AccountRow, findAccount, findTeam, type ImageRepository } from "../../access/queries.ts";
import type { CallContext } from "../../context.ts";
import { invalidRequest, notFound } from "../../errors.ts";
import { byId, byName, type ListPage, type ListPageQuery, readListPage } from "../../lists/list-pages.ts";
import type { RepositoryRole } from "../../store/tables/accounts.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { findGrantee, findOrganizationMembers } from "../teams/queries/organization-members.ts";
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
  type TeamGrant,
  type TransitiveKey,
  type TransitiveRole,
} from "./queries/repository-permissions.ts";

/** A role of a user or robot on a repository. */
export interface UserRole extends AccountGrant {
  /** Whether they are a member of the organization; undefined if the repository is not of an organization. */
  readonly isMember: boolean | undefined;
}

/** A page of the roles of users and robots on a repository, sorted by name. */
export async function listUserRoles(
  context: CallContext,
  repository: ImageRepository,
  query: ListPageQuery,
): Promise<ListPage<UserRole>> {
  const list = { list: "users with roles", ownerId: repository.id, query, ...byId } as const;
  const page = await readListPage(context, list, (from) => listAccountGrants(context.db, repository.id, from));
  const grants = byName(page.rows, ({ username }) => username);
  return { ...page, rows: await withMembership(context.db, repository, grants) };
}

/** A page of the roles of teams on a repository, sorted by name. */
export async function listTeamRoles(
  context: CallContext,
  { id: ownerId }: ImageRepository,
  query: ListPageQuery,
): Promise<ListPage<TeamGrant>> {
  const list = { list: "teams with roles", ownerId, query, ...byId } as const;
  const page = await readListPage(context, list, (from) => listTeamGrants(context.db, ownerId, from));
  return { ...page, rows: byName(page.rows, ({ name }) => name) };
}

async function withMembership(
  db: RegistryDb,
  repository: ImageRepository,
  grants: readonly AccountGrant[],
): Promise<readonly UserRole[]> {
  const ids = grants.map(({ id }) => id);
  const isOfOrganization = repository.namespaceKind === "organization";
  const members = isOfOrganization ? await findOrganizationMembers(db, repository.namespace_id, ids) : undefined;
  return grants.map((grant) => ({ ...grant, isMember: members?.has(grant.id) }));
}

/** The role of one user or robot. @throws RegistryError `invalid_request` when there is none */
export async function getUserRole(db: RegistryDb, repository: ImageRepository, username: string): Promise<UserRole> {
  const grant = await findAccountGrant(db, repository.id, username);
  const [role] = grant === undefined ? [] : await withMembership(db, repository, [grant]);
  if (role === undefined) throw invalidRequest("User does not have permission for repo.");
  return role;
}

/** Grants a user, or a robot of the namespace, a role, which replaces an earlier one. @throws RegistryError `invalid_request` */
export async function putUserRole(
  { db, log }: Pick<CallContext<"change_repo_permission">, "db" | "log">,
  repository: ImageRepository,
  { username, role }: { readonly username: string; readonly role: RepositoryRole },
): Promise<UserRole> {
  const { id: accountId } = await getGrantee(db, repository, username);
  await putAccountGrant(db, { repositoryId: repository.id, accountId, role });
  const granted = await getUserRole(db, repository, username);
  const { name: repo, namespace } = repository;
  await log("change_repo_permission", { username, repo, namespace, role });
  return granted;
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
export async function deleteUserRole(
  { db, log }: Pick<CallContext<"delete_repo_permission">, "db" | "log">,
  repository: ImageRepository,
  username: string,
): Promise<void> {
  checkIsNotOwner(repository, username);
  const grant = await findAccountGrant(db, repository.id, username);
  if (grant === undefined) throw invalidRequest("User does not have permission for repo.");
  await deleteAccountGrant(db, repository.id, grant.id);
  await log("delete_repo_permission", { username, repo: repository.name, namespace: repository.namespace });
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
export async function getTeamRole(db: RegistryDb, repository: ImageRepository, teamName: string): Promise<TeamGrant> {
  const grant = await findTeamGrant(db, repository.id, teamName);
  if (grant === undefined) throw invalidRequest("Team does not have permission for repo.");
  return grant;
}

/** Grants a team of the organization a role, which replaces an earlier one. @throws RegistryError `invalid_request` */
export async function putTeamRole(
  { db, log }: Pick<CallContext<"change_repo_permission">, "db" | "log">,
  repository: ImageRepository,
  { teamName, role }: { readonly teamName: string; readonly role: RepositoryRole },
): Promise<TeamGrant> {
  const team = await findTeam(db, repository.namespace_id, teamName);
  if (team === undefined) throw invalidRequest(`No team ${teamName} in organization ${repository.namespace}`);
  await putTeamGrant(db, { repositoryId: repository.id, teamId: team.id, role });
  const granted = await getTeamRole(db, repository, teamName);
  await log("change_repo_permission", { team: teamName, repo: repository.name, role });
  return granted;
}

/** Revokes the role of a team. @throws RegistryError `invalid_request` when there is none */
export async function deleteTeamRole(
  { db, log }: Pick<CallContext<"delete_repo_permission">, "db" | "log">,
  repository: ImageRepository,
  teamName: string,
): Promise<void> {
  const grant = await findTeamGrant(db, repository.id, teamName);
  if (grant === undefined) throw invalidRequest("Team does not have permission for repo.");
  await deleteTeamGrant(db, repository.id, grant.id);
  await log("delete_repo_permission", { team: teamName, repo: repository.name });
}
