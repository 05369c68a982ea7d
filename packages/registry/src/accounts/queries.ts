import { type SqlBool, sql } from "kysely";
import type { AccountRow } from "../access/queries.ts";
import { maxCounted, type OrderBy, type ReadFrom, readOrder } from "../lists/list-pages.ts";
import { gather, readByKeys, readLength } from "../store/bounded-reads.ts";
import { likeText } from "../store/expressions.ts";
import type { AccountKind, RepositoryRole } from "../store/tables/accounts.ts";
import type { NewRow, RegistryDb } from "../store/tables/all.ts";
import type { Visibility } from "../store/tables/content.ts";

/** A page of the accounts of a kind, ordered by id or by name, without those that are being deleted. */
export async function listAccounts(
  db: RegistryDb,
  { after, limit, order, ...wanted }: AccountsPage,
): Promise<readonly AccountRow[]> {
  const { direction } = readOrder(order ?? "id");
  const key = order === undefined ? "id" : "username";
  return selectAccounts(db, wanted, order === undefined ? "in the order of ids" : "in the order of names")
    .selectAll()
    .$if(after !== undefined, (accounts) => accounts.where(key, direction === "asc" ? ">" : "<", after ?? ""))
    .orderBy(key, direction)
    .limit(limit)
    .execute();
}

/** How many accounts of a kind there are, at most one more than {@link maxCounted}. */
export async function countAccounts(db: RegistryDb, wanted: WantedAccounts): Promise<number> {
  const some = selectAccounts(db, wanted, "in the order of ids")
    .select("id")
    .limit(maxCounted + 1);
  const row = await db
    .selectFrom(some.as("wanted"))
    .select(sql<number | string>`count(*)`.as("count"))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** The accounts of a kind, with the conditions by which SQLite reads the index of the order. */
function selectAccounts(
  db: RegistryDb,
  { kind, disabled, find }: WantedAccounts,
  how: "in the order of ids" | "in the order of names",
) {
  const retired = db.selectFrom("retired_namespace").select("account_id");
  const isByName = how === "in the order of names";
  return db
    .selectFrom("account")
    .where(isByName ? sql`coalesce(kind, '')` : "kind", "=", kind)
    .$if(isByName, (accounts) => accounts.where("kind", "<>", "robot")) // the condition of the index by name
    .where("id", "not in", retired)
    .$if(!disabled, (accounts) => accounts.where("enabled", "=", 1))
    .$if(find !== "", (accounts) => accounts.where(sql<SqlBool>`lower(username) like ${likeText(find)} escape '\\'`));
}

/** Which accounts of a kind are meant. */
interface WantedAccounts {
  readonly kind: AccountKind;
  /** False: only those that are enabled. */
  readonly disabled: boolean;
  /** A part of the name; the empty text: all. */
  readonly find: string;
}

/** Which of them are on a page. */
interface AccountsPage extends WantedAccounts {
  /** The id, or in the order by name the name, of the account before; absent for the first page. */
  readonly after?: string;
  readonly order?: OrderBy<"name">;
  readonly limit: number;
}

/** Stores an account. @returns false where another has its name or its e-mail address */
export async function insertAccount(db: RegistryDb, account: NewRow<"account">): Promise<boolean> {
  const inserted = await db
    .insertInto("account")
    .values(account)
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Whether there is an account of that name, of any kind. */
export async function hasAccount(db: RegistryDb, username: string): Promise<boolean> {
  const account = await db.selectFrom("account").select("id").where("username", "=", username).executeTakeFirst();
  return account !== undefined;
}

/** A role of an account on a repository. */
export interface RoleOfAccount {
  readonly account_id: string;
  readonly repository: string;
  readonly visibility: Visibility;
  readonly role: RepositoryRole;
}

/**
 * The roles on repositories of a namespace that accounts have themselves, not by their teams, ordered by the name of the repository.
 * It reads the roles of the accounts and then their repositories, never all repositories of the namespace.
 */
export async function listRolesOf(
  db: RegistryDb,
  namespaceId: string,
  accountIds: readonly string[],
): Promise<readonly RoleOfAccount[]> {
  const grants = await gather(readByKeys<Grant>(accountIds, (ids, after) => readGrants(db, ids, after)));
  const repositories = await findRepositories(db, namespaceId, grants);
  const roles = grants.flatMap(({ account_id, repository_id, role }) => {
    const repository = repositories.get(repository_id);
    return repository === undefined ? [] : [{ account_id, role, ...repository }];
  });
  return roles.sort((a, b) => (a.repository < b.repository ? -1 : 1));
}

interface Grant {
  readonly account_id: string;
  readonly repository_id: string;
  readonly role: RepositoryRole;
}

function readGrants(db: RegistryDb, accountIds: readonly string[], after?: Grant): Promise<readonly Grant[]> {
  return db
    .selectFrom("account_permission")
    .select(["account_id", "repository_id", "role"])
    .where("account_id", "in", accountIds)
    .$if(after !== undefined, (grants) => grants.where("repository_id", ">", after?.repository_id ?? ""))
    .$if(accountIds.length === 1, (grants) => grants.orderBy("repository_id"))
    .limit(readLength)
    .execute();
}

/** A page of the roles that one account has itself on repositories of a namespace, ordered by the id of the repository. */
export async function listRolesOfOne(
  db: RegistryDb,
  { namespaceId, accountId }: { readonly namespaceId: string; readonly accountId: string },
  { after: [id], limit }: ReadFrom<readonly [repositoryId: string]>,
) {
  return db
    .selectFrom("account_permission")
    .crossJoin("image_repository") // the repositories of the roles, in the order of the roles
    .select(["image_repository.id", "image_repository.name as repository", "image_repository.visibility"])
    .select("account_permission.role")
    .whereRef("image_repository.id", "=", "account_permission.repository_id")
    .where("account_permission.account_id", "=", accountId)
    .where("account_permission.repository_id", ">", id)
    .where("image_repository.namespace_id", "=", namespaceId)
    .where("image_repository.state", "!=", "deleted")
    .orderBy("account_permission.repository_id")
    .limit(limit)
    .execute();
}

interface RepositoryOfNamespace {
  readonly id: string;
  readonly name: string;
  readonly visibility: Visibility;
}

/** The repositories of a namespace among those of some grants, by id. */
async function findRepositories(db: RegistryDb, namespaceId: string, grants: readonly Grant[]) {
  const repositories = new Map<string, { readonly repository: string; readonly visibility: Visibility }>();
  const wanted = grants.map(({ repository_id }) => repository_id);
  const pages = readByKeys<RepositoryOfNamespace>(wanted, (ids, after) =>
    after !== undefined
      ? Promise.resolve([])
      : db
          .selectFrom("image_repository")
          .select(["id", "name", "visibility"])
          .where("namespace_id", "=", namespaceId)
          .where("id", "in", ids)
          .where("state", "!=", "deleted")
          .execute(),
  );
  for await (const rows of pages) {
    for (const { id, name, visibility } of rows) repositories.set(id, { repository: name, visibility });
  }
  return repositories;
}

/** The membership of an account in a team. */
export interface TeamOfAccount {
  readonly account_id: string;
  readonly team_id: string;
  readonly name: string;
}

/** The memberships of accounts in teams of an organization, ordered by the name of the team. */
export async function listTeamsOf(
  db: RegistryDb,
  organizationId: string,
  accountIds: readonly string[],
): Promise<readonly TeamOfAccount[]> {
  const pages = readByKeys<TeamOfAccount>(accountIds, (ids, after) =>
    db
      .selectFrom("team_member")
      .crossJoin("team") // the teams of the members, never the members of all teams
      .select(["team_member.account_id", "team_member.team_id", "team.name"])
      .whereRef("team.id", "=", "team_member.team_id")
      .where("team_member.account_id", "in", ids)
      .where("team.organization_id", "=", organizationId)
      .$if(after !== undefined, (teams) => teams.where("team_member.team_id", ">", after?.team_id ?? ""))
      .$if(ids.length === 1, (teams) => teams.orderBy("team_member.team_id"))
      .limit(readLength)
      .execute(),
  );
  return [...(await gather(pages))].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Stores that the registry is initialized. @returns false if it was initialized before, or has users */
export async function claimInitialization(db: RegistryDb, now: number): Promise<boolean> {
  const claimed = await db
    .insertInto("registry_fact")
    .values({ name: "initialized", value: String(now) })
    .onConflict((conflict) => conflict.doNothing())
    .returning("name")
    .executeTakeFirst();
  return claimed !== undefined && !(await hasUsers(db));
}

/** Whether there is any user. */
export async function hasUsers(db: RegistryDb): Promise<boolean> {
  const user = await db.selectFrom("account").select("id").where("kind", "=", "user").limit(1).executeTakeFirst();
  return user !== undefined;
}
