import { cooperativeYield } from "@plimsoll/store";
import { type AccountRow, findAccount } from "../access/queries.ts";
import { listRolesOf, listTeamsOf, type RoleOfAccount, type TeamOfAccount } from "../accounts/queries.ts";
import type { CallContext } from "../context.ts";
import { invalidRequest, notFound } from "../errors.ts";
import { type ListPage, type ListPageQuery, listLength, listPages } from "../lists/list-pages.ts";
import { formatPageToken, parsePageToken } from "../lists/page-tokens.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { deleteMemberships } from "./queries.ts";
import { judgeLossNow } from "./teams/members.ts";
import { findGrantee, type ListedUser, listUsersOf } from "./teams/queries/organization-members.ts";

/** A user with roles on repositories of an organization. */
export interface Collaborator {
  readonly account: Pick<AccountRow, "id" | "kind" | "username" | "email">;
  /** Their own roles, not those from teams. */
  readonly roles: readonly RoleOfAccount[];
}

/** A user in teams of an organization, or a robot of it. */
export interface Member extends Collaborator {
  readonly teams: readonly TeamOfAccount[];
}

/** After this many repository names a page ends, once the current step of users is complete. */
const namedRepositories = 20_000;

/** The number of users whose teams and roles are read at a time. */
const stepLength = 20;

/** A page of the users in teams of an organization, by name. */
export async function listMembers(
  context: CallContext,
  { id }: AccountRow,
  query: ListPageQuery,
): Promise<ListPage<Member>> {
  const users = await listUsersOf(context.db, id, "members");
  return readUsers(context, { users, list: "members", organizationId: id, query }, async (some) => {
    const ids = some.map((user) => user.id);
    const teams = Map.groupBy(await listTeamsOf(context.db, id, ids), ({ account_id }) => account_id);
    const grants = Map.groupBy(await listRolesOf(context.db, id, ids), ({ account_id }) => account_id);
    return some.map((account) => ({
      account,
      teams: teams.get(account.id) ?? [],
      roles: grants.get(account.id) ?? [],
    }));
  });
}

/** A page of the users with roles on repositories of an organization who are in none of its teams, by name. */
export async function listCollaborators(
  context: CallContext,
  { id }: AccountRow,
  query: ListPageQuery,
): Promise<ListPage<Collaborator>> {
  const users = await listUsersOf(context.db, id, "collaborators");
  return readUsers(context, { users, list: "collaborators", organizationId: id, query }, async (some) => {
    const ids = some.map((user) => user.id);
    const grants = Map.groupBy(await listRolesOf(context.db, id, ids), ({ account_id }) => account_id);
    return some.map((account) => ({ account, roles: grants.get(account.id) ?? [] }));
  });
}

interface PagedUsers {
  readonly users: readonly ListedUser[];
  readonly list: "members" | "collaborators";
  readonly organizationId: string;
  readonly query: ListPageQuery;
}

/** Fills a page with users, one step at a time. */
async function readUsers<Read extends Collaborator>(
  context: CallContext,
  { users, list, organizationId, query }: PagedUsers,
  read: (some: readonly ListedUser[]) => Promise<readonly Read[]>,
): Promise<ListPage<Read>> {
  const pages = listPages(context, list, organizationId);
  const [after = ""] = parsePageToken(pages, query.next_page) ?? [];
  const left = users.filter(({ username }) => username > after);
  const rows: Read[] = [];
  const yieldToOthers = cooperativeYield(); // a step alone is too short to yield after
  for (let named = 0; rows.length < left.length; ) {
    if (rows.length >= listLength || named >= namedRepositories) {
      return { rows, next_page: formatPageToken(pages, [rows.at(-1)?.account.username ?? ""]) };
    }
    const some = await read(left.slice(rows.length, rows.length + stepLength));
    rows.push(...some);
    for (const { roles } of some) named += roles.length;
    await yieldToOthers();
  }
  return { rows };
}

/** A user in a team of an organization, or a robot of it. @throws RegistryError `not_found` for any other name */
export async function getMember(db: RegistryDb, { id }: AccountRow, name: string): Promise<Member> {
  const account = await findGrantee(db, id, name);
  if (account === undefined) throw notMember(name);
  const teams = await listTeamsOf(db, id, [account.id]);
  if (account.kind === "user" && teams.length === 0) throw notMember(name);
  return { account, teams, roles: await listRolesOf(db, id, [account.id]) };
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
