import { compileOnce, type Parameter } from "@plimsoll/store";
import { sql } from "kysely";
import { inChunks } from "../../store/bounded-reads.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import { findReach } from "./visible-repositories.ts";

/** A query for the names of readable repositories. */
interface ReadableRepositories {
  /** The reading account; undefined: a caller who may read all repositories. */
  readonly accountId: string | undefined;
  /** The name after which the page begins: `namespace/name`, or empty. */
  readonly after: string;
  readonly limit: number;
}

interface RepositoryName {
  readonly username: string;
  readonly name: string;
}

interface Page {
  readonly after: RepositoryName;
  readonly limit: number;
}

/**
 * The names, `namespace/name`, of the repositories on which an account has a role, ordered by namespace and then by name. Namespaces of
 * which the account may read everything are read in that order until the page is full; repositories with single grants are sorted.
 */
export async function listReadableRepositories(
  db: RegistryDb,
  { accountId, after, limit }: ReadableRepositories,
): Promise<readonly string[]> {
  const slash = after.indexOf("/");
  const [username, name] = slash < 0 ? [after, ""] : [after.slice(0, slash), after.slice(slash + 1)];
  const page = { after: { username, name }, limit };
  if (accountId === undefined) return (await listEvery(db, page)).map(fullName);
  const { namespaceIds } = await findReach(db, accountId, undefined);
  const whole = await listInNamespaces(db, await findNamespaces(db, namespaceIds), page);
  const granted = await listGranted(db, accountId, page);
  const names = [...whole, ...granted].toSorted(compareNames).map(fullName);
  return [...new Set(names)].slice(0, limit);
}

interface Namespace {
  readonly id: string;
  readonly username: string;
}

async function findNamespaces(db: RegistryDb, ids: readonly string[]): Promise<readonly Namespace[]> {
  const found: Namespace[] = [];
  for (const some of inChunks(ids)) {
    const accounts = db.selectFrom("account").select(["id", "username"]).where("enabled", "=", 1);
    found.push(...(await accounts.where("id", "in", some).execute()));
  }
  return found.toSorted((one, other) => (one.username < other.username ? -1 : 1));
}

async function listInNamespaces(
  db: RegistryDb,
  namespaces: readonly Namespace[],
  { after, limit }: Page,
): Promise<readonly RepositoryName[]> {
  const found: RepositoryName[] = [];
  for (const { id, username } of namespaces) {
    if (username < after.username) continue;
    if (found.length >= limit) break;
    const rows = await listNames(db, { id, after: username === after.username ? after.name : "", limit });
    found.push(...rows.map(({ name }) => ({ username, name })));
  }
  return found;
}

const listNames = compileOnce((db: RegistryDb, parameter: Parameter<{ id: string; after: string; limit: number }>) =>
  db
    .selectFrom("image_repository")
    .select("name")
    .where("namespace_id", "=", parameter("id"))
    .where("name", ">", parameter("after"))
    .where("state", "!=", "deleted")
    .orderBy("name")
    .limit(parameter("limit")),
);

/** The repositories of all namespaces: the rest of the namespace in which the page begins, then the namespaces after it. */
async function listEvery(db: RegistryDb, { after, limit }: Page): Promise<readonly RepositoryName[]> {
  const first = await db
    .selectFrom("account")
    .select(["id", "username"])
    .where("username", "=", after.username)
    .where("enabled", "=", 1)
    .execute();
  const found = await listInNamespaces(db, first, { after, limit });
  const { rows } = await sql<RepositoryName>`select account.username, image_repository.name
    from account cross join image_repository
    where image_repository.namespace_id = account.id and image_repository.state <> 'deleted'
      and account.username > ${after.username} and account.kind <> 'robot' and account.enabled = 1
    order by account.username, image_repository.name limit ${limit}`.execute(db);
  return [...found, ...rows].slice(0, limit);
}

/** The repositories that are granted to an account, or to one of its teams. */
async function listGranted(
  db: RegistryDb,
  accountId: string,
  { after, limit }: Page,
): Promise<readonly RepositoryName[]> {
  const own = db.selectFrom("account_permission").select("repository_id").where("account_id", "=", accountId);
  const byTeam = db
    .selectFrom("team_member")
    .innerJoin("team_permission", "team_permission.team_id", "team_member.team_id")
    .select("team_permission.repository_id")
    .where("team_member.account_id", "=", accountId);
  return db
    .selectFrom(own.union(byTeam).as("granted"))
    .innerJoin("image_repository", "image_repository.id", "granted.repository_id")
    .innerJoin("account", "account.id", "image_repository.namespace_id")
    .select(["account.username", "image_repository.name"])
    .where("image_repository.state", "!=", "deleted")
    .where("account.enabled", "=", 1)
    .where(sql<boolean>`(account.username, image_repository.name) > (${after.username}, ${after.name})`)
    .orderBy("account.username")
    .orderBy("image_repository.name")
    .limit(limit)
    .execute();
}

function compareNames(one: RepositoryName, other: RepositoryName): number {
  if (one.username !== other.username) return one.username < other.username ? -1 : 1;
  return one.name < other.name ? -1 : Number(one.name > other.name);
}

function fullName({ username, name }: RepositoryName): string {
  return `${username}/${name}`;
}
