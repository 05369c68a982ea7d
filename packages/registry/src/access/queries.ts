import { compileOnce, type Parameter } from "@plimsoll/store";
import { type ExpressionBuilder, type Selectable, sql } from "kysely";
import { longestEmail, userEmail } from "../store/expressions.ts";
import type {
  AccountKind,
  AccountTable,
  OAuthApplicationTable,
  RepositoryRole,
  TeamRole,
  TeamTable,
} from "../store/tables/accounts.ts";
import type { RegistryDb, RegistryTables, RowChanges } from "../store/tables/all.ts";
import type { ImageRepositoryTable } from "../store/tables/content.ts";
import { isAccountName, isNamespaceName, isRepositoryPath } from "../values/names.ts";
import type { RepositoryMemberships } from "./roles.ts";

/** An account as it is stored. */
export type AccountRow = Selectable<AccountTable>;

/** The account of that name, of one of those kinds. */
export async function findAccount(
  db: RegistryDb,
  username: string,
  ...kinds: readonly AccountKind[]
): Promise<AccountRow | undefined> {
  if (!isAccountName(username)) return undefined;
  const [account] = await findAccountByName(db, { username });
  return kinds.length === 0 || (account !== undefined && kinds.includes(account.kind)) ? account : undefined;
}

const findAccountByName = compileOnce((db: RegistryDb, parameter: Parameter<{ username: string }>) =>
  db.selectFrom("account").selectAll().where("username", "=", parameter("username")),
);

/** The account with that id. */
export async function findAccountById(db: RegistryDb, id: string): Promise<AccountRow | undefined> {
  const [account] = await findById(db, { id });
  return account;
}

/** {@link findAccountById}, to be joined to another look-up. */
export const findById = compileOnce((db: RegistryDb, parameter: Parameter<{ id: string }>) =>
  db.selectFrom("account").selectAll().where("id", "=", parameter("id")),
);

/** The user of that name or e-mail address. Users sign in with either. */
export async function findUserByLogin(db: RegistryDb, login: string): Promise<AccountRow | undefined> {
  return login.includes("@") ? findUserByEmail(db, login) : findAccount(db, login, "user");
}

/** The user with that e-mail address, whatever the case of its letters. */
export async function findUserByEmail(db: RegistryDb, email: string): Promise<AccountRow | undefined> {
  if (email.length > longestEmail) return undefined;
  return db
    .selectFrom("account")
    .selectAll()
    .where(sql.raw<string>(userEmail), "=", sql<string>`lower(${email})`)
    .executeTakeFirst();
}

/**
 * Locks a namespace until the transaction ends. The statement changes no value; on PostgreSQL it locks the row. It sets no key
 * column: for a key, SQLite would visit all rows that refer to it, which are all repositories, robots and teams of the namespace.
 */
export async function lockNamespace(db: RegistryDb, namespaceId: string): Promise<void> {
  await db
    .updateTable("account")
    .set(({ ref }) => ({ enabled: ref("enabled") }))
    .where("id", "=", namespaceId)
    .execute();
}

/** Changes columns of an account. */
export async function updateAccount(db: RegistryDb, id: string, changes: RowChanges<"account">): Promise<void> {
  await db.updateTable("account").set(changes).where("id", "=", id).execute();
}

/** Whether a deleted namespace still holds the name, because its content is being collected. */
export async function isRetiredName(db: RegistryDb, name: string): Promise<boolean> {
  const retired = await db
    .selectFrom("retired_namespace")
    .select("account_id")
    .where("name", "=", name)
    .executeTakeFirst();
  return retired !== undefined;
}

/** An OAuth application as it is stored. */
export type OAuthApplication = Selectable<OAuthApplicationTable>;

/** The application with that client id. */
export async function findOAuthApplication(db: RegistryDb, clientId: string): Promise<OAuthApplication | undefined> {
  return db.selectFrom("oauth_application").selectAll().where("client_id", "=", clientId).executeTakeFirst();
}

/** A repository as it is stored. */
type ImageRepositoryRow = Selectable<ImageRepositoryTable>;

/** An image repository with the names that clients know it by. */
export interface ImageRepository extends ImageRepositoryRow {
  readonly namespace: string;
  readonly namespaceKind: AccountRow["kind"];
  /** For how long the namespace's removed tags can be restored. */
  readonly tagExpirationSeconds: number;
  /** The registry that the namespace is a cache of. Set only by queries that begin a pull or a push. */
  readonly cacheOf?: string | null;
  /** The pull gate of the namespace. Absent where the query did not select it: such a subject cannot be pulled from. */
  readonly namespaceGate?: string | null;
  /** The pull gate of the repository itself. */
  readonly repositoryGate?: string | null;
}

/** The repository of that name, unless it is deleted or its namespace disabled. */
export async function findImageRepository(
  db: RegistryDb,
  namespace: string,
  name: string,
): Promise<ImageRepository | undefined> {
  if (!isRepositoryPath(`${namespace}/${name}`)) return undefined;
  const [repository] = await findRepositoryByName(db, { namespace, name });
  return repository;
}

/** A query of the repository with that id, unless its namespace is disabled. Callers add the states that it may have. */
export function enabledRepository(db: RegistryDb, id: string) {
  return db
    .selectFrom("image_repository")
    .innerJoin("account", "account.id", "image_repository.namespace_id")
    .selectAll("image_repository")
    .select(["account.username as namespace", "account.kind as namespaceKind"])
    .select("account.tag_expiration_s as tagExpirationSeconds")
    .where("image_repository.id", "=", id)
    .where("account.enabled", "=", 1);
}

/** The pull gates of a repository and its namespace. Every query that begins a pull selects these columns. */
export function gateColumns(eb: ExpressionBuilder<RegistryTables, "image_repository">) {
  const gates = eb.selectFrom("pull_gate").select("pull_gate.gate");
  return [
    gates.whereRef("pull_gate.namespace_id", "=", "image_repository.namespace_id").as("namespaceGate"),
    gates.whereRef("pull_gate.repository_id", "=", "image_repository.id").as("repositoryGate"),
  ] as const;
}

const findRepositoryByName = compileOnce((db: RegistryDb, parameter: Parameter<{ namespace: string; name: string }>) =>
  db
    .selectFrom("image_repository")
    .innerJoin("account", "account.id", "image_repository.namespace_id")
    .leftJoin("proxy_cache", "proxy_cache.organization_id", "image_repository.namespace_id")
    .selectAll("image_repository")
    .select("proxy_cache.upstream_registry as cacheOf")
    .select(["account.username as namespace", "account.kind as namespaceKind"])
    .select("account.tag_expiration_s as tagExpirationSeconds")
    .select(gateColumns)
    .where("account.username", "=", parameter("namespace"))
    .where("account.enabled", "=", 1)
    .where("image_repository.name", "=", parameter("name"))
    .where("image_repository.state", "!=", "deleted"),
);

/** The roles of the teams of an organization that an account is in. */
export async function findTeamRoles(
  db: RegistryDb,
  organizationId: string,
  accountId: string,
): Promise<readonly TeamRole[]> {
  const rows = await listTeamRoles(db, { organizationId, accountId });
  return rows.map(({ role }) => role);
}

const listTeamRoles = compileOnce(
  (db: RegistryDb, parameter: Parameter<{ organizationId: string; accountId: string }>) =>
    db
      .selectFrom("team")
      .innerJoin("team_member", "team_member.team_id", "team.id")
      .select("team.role")
      .where("team.organization_id", "=", parameter("organizationId"))
      .where("team_member.account_id", "=", parameter("accountId")),
);

/** The sources of an account's role on a repository. */
export async function findRepositoryMemberships(
  db: RegistryDb,
  repository: { readonly id: string; readonly namespaceId: string },
  accountId: string,
): Promise<RepositoryMemberships> {
  if (repository.namespaceId === accountId) return { ownsNamespace: true, teamRoles: [], grants: [] };
  const { id: repositoryId, namespaceId } = repository;
  const rows = await listMemberships(db, { repositoryId, namespaceId, accountId });
  const from = (source: string) => rows.filter((row) => row.source === source).map(({ role }) => role);
  return { ownsNamespace: false, teamRoles: from("team") as TeamRole[], grants: from("grant") as RepositoryRole[] };
}

interface MembershipParameters {
  readonly repositoryId: string;
  readonly namespaceId: string;
  readonly accountId: string;
}

const listMemberships = compileOnce((_: RegistryDb, parameter: Parameter<MembershipParameters>) => {
  const account = parameter("accountId");
  const repository = parameter("repositoryId");
  return sql<{ source: "grant" | "team"; role: string }>`
    select 'grant' as source, role from account_permission
      where repository_id = ${repository} and account_id = ${account}
    union all
    select 'grant', team_permission.role from team_permission
      join team_member on team_member.team_id = team_permission.team_id and team_member.account_id = ${account}
      where team_permission.repository_id = ${repository}
    union all
    select 'team', team.role from team
      join team_member on team_member.team_id = team.id and team_member.account_id = ${account}
      where team.organization_id = ${parameter("namespaceId")}`;
});

/** A team as it is stored. */
export type TeamRow = Selectable<TeamTable>;

/** The team of that name in an organization. */
export async function findTeam(db: RegistryDb, organizationId: string, name: string): Promise<TeamRow | undefined> {
  if (!isNamespaceName(name)) return undefined;
  return db
    .selectFrom("team")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("name", "=", name)
    .executeTakeFirst();
}

/** Whether an account is in a team. */
export async function isTeamMember(db: RegistryDb, teamId: string, accountId: string): Promise<boolean> {
  const member = await db
    .selectFrom("team_member")
    .select("account_id")
    .where("team_id", "=", teamId)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return member !== undefined;
}
