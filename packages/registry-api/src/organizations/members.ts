import { type AccountRow, findAccount } from "@plimsoll/registry/access/queries";
import { listRolesOf, listTeamsOf } from "@plimsoll/registry/accounts/queries";
import type { CallContext } from "@plimsoll/registry/context";
import { invalidRequest, notFound } from "@plimsoll/registry/errors";
import { type ListPageQuery, listLength, listPages } from "@plimsoll/registry/lists/list-pages";
import { formatPageToken, parsePageToken } from "@plimsoll/registry/lists/page-tokens";
import { deleteMemberships } from "@plimsoll/registry/organizations/queries";
import { judgeLossNow } from "@plimsoll/registry/organizations/teams/members";
import {
  findGrantee,
  type ListedUser,
  listUsersOf,
} from "@plimsoll/registry/organizations/teams/queries/organization-members";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { cooperativeYield } from "@plimsoll/store";
import { type Collaborator, collaboratorView, type OrganizationMember, organizationMemberView } from "./views.ts";

/** A page of users of an organization, and the token of the next page. */
interface UsersPage<Shown> {
  readonly shown: readonly Shown[];
  readonly next_page?: string;
}

/** After this many repository names a page ends, once the current step of users is complete. */
const namedRepositories = 20_000;

/** The number of users whose teams and roles are read at a time. */
const stepLength = 20;

/** A page of the users in teams of an organization, by name. */
export async function showMembers(
  context: CallContext,
  { id }: AccountRow,
  query: ListPageQuery,
): Promise<UsersPage<OrganizationMember>> {
  const users = await listUsersOf(context.db, id, "members");
  return showPage(context, { users, list: "members", organizationId: id, query }, async (some) => {
    const ids = some.map((user) => user.id);
    const teams = Map.groupBy(await listTeamsOf(context.db, id, ids), ({ account_id }) => account_id);
    const grants = Map.groupBy(await listRolesOf(context.db, id, ids), ({ account_id }) => account_id);
    return some.map((user) => organizationMemberView(user, teams.get(user.id) ?? [], grants.get(user.id) ?? []));
  });
}

/** A page of the users with roles on repositories of an organization who are in none of its teams, by name. */
export async function showCollaborators(
  context: CallContext,
  { id }: AccountRow,
  query: ListPageQuery,
): Promise<UsersPage<Collaborator>> {
  const users = await listUsersOf(context.db, id, "collaborators");
  return showPage(context, { users, list: "collaborators", organizationId: id, query }, async (some) => {
    const ids = some.map((user) => user.id);
    const grants = Map.groupBy(await listRolesOf(context.db, id, ids), ({ account_id }) => account_id);
    return some.map((user) => collaboratorView(user, grants.get(user.id) ?? []));
  });
}

interface PagedUsers {
  readonly users: readonly ListedUser[];
  readonly list: "members" | "collaborators";
  readonly organizationId: string;
  readonly query: ListPageQuery;
}

/** Fills a page with users, one step at a time. */
async function showPage<Shown extends Collaborator>(
  context: CallContext,
  { users, list, organizationId, query }: PagedUsers,
  show: (some: readonly ListedUser[]) => Promise<readonly Shown[]>,
): Promise<UsersPage<Shown>> {
  const pages = listPages(context, list, organizationId);
  const [after = ""] = parsePageToken(pages, query.next_page) ?? [];
  const left = users.filter(({ username }) => username > after);
  const shown: Shown[] = [];
  const yieldToOthers = cooperativeYield(); // a step alone is too short to yield after
  for (let named = 0; shown.length < left.length; ) {
    if (shown.length >= listLength || named >= namedRepositories) {
      return { shown, next_page: formatPageToken(pages, [shown.at(-1)?.name ?? ""]) };
    }
    const some = await show(left.slice(shown.length, shown.length + stepLength));
    shown.push(...some);
    for (const { repositories } of some) named += repositories.length;
    await yieldToOthers();
  }
  return { shown };
}

/** A user in a team of an organization, or a robot of it. @throws RegistryError `not_found` for any other name */
export async function showMember(db: RegistryDb, { id }: AccountRow, name: string): Promise<OrganizationMember> {
  const account = await findGrantee(db, id, name);
  if (account === undefined) throw notMember(name);
  const teams = await listTeamsOf(db, id, [account.id]);
  if (account.kind === "user" && teams.length === 0) throw notMember(name);
  return organizationMemberView(account, teams, await listRolesOf(db, id, [account.id]));
}

/**
 * Removes a user from every team of an organization, and deletes their roles on its repositories.
 * @throws RegistryError `not_found` when there is no such user, `invalid_request` for the only administrator
 */
export async function removeMember(
  { db, log }: CallContext<"org_remove_member">,
  { id }: AccountRow,
  name: string,
): Promise<void> {
  const account = await findAccount(db, name, "user");
  if (account === undefined) throw notFound(`There is no user ${name}`);
  if ((await judgeLossNow(db, id, { loss: { accountId: account.id } })) === "no-admin") {
    throw invalidRequest("Cannot remove user as they are the only organization admin");
  }
  const wasMember = await deleteMemberships(db, id, account.id);
  if (wasMember) await log("org_remove_member", { member: name });
}

function notMember(name: string) {
  return notFound(`${name} is in no team of the organization, and no robot of it`);
}
