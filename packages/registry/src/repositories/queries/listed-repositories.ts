import { compileOnce, type Parameter } from "@plimsoll/store";
import { type RawBuilder, type Selectable, type SqlBool, sql } from "kysely";
import { type GlobalRole, seesEveryRepository } from "../../access/global-role.ts";
import { accountOf, heldScopes, type Principal } from "../../access/principal.ts";
import { repositoryCap } from "../../access/scopes.ts";
import { inChunks } from "../../store/bounded-reads.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import type { ImageRepositoryTable } from "../../store/tables/content.ts";

/** A repository as lists show it. */
export interface ListedRepository
  extends Pick<
    Selectable<ImageRepositoryTable>,
    "id" | "name" | "kind" | "visibility" | "state" | "description" | "size_bytes"
  > {
  readonly namespace: string;
  /** The quota of the namespace; null if it has none of its own. */
  readonly quotaBytes: number | null;
  readonly isStarred: 0 | 1;
  /** When its newest living tag began; null without such a tag, or if the query does not select it. */
  readonly lastModifiedAt: number | null;
  /** The manifest of its newest living tag of an image; null without such a tag, or if the query does not select it. */
  readonly newestManifestId: string | null;
  /** Pulls and pushes of the last seven days; null without any, or if the query does not select it. Text on PostgreSQL. */
  readonly popularity: number | string | null;
}

/** Which repositories are listed, and which columns of each. */
interface ListedRepositoriesQuery extends VisibleRepositoriesQuery {
  /** The account whose stars are shown; the empty text: no stars. */
  readonly accountId: string;
  readonly onlyStarred: boolean;
  readonly withPopularity: boolean;
  readonly withLastModified: boolean;
  readonly withNewestImage: boolean;
  readonly now: number;
}

/** The first repositories after one that a viewer sees, by id. */
export async function findListedRepositories(
  db: RegistryDb,
  query: ListedRepositoriesQuery,
): Promise<readonly ListedRepository[]> {
  const { accountId, now } = query;
  const ids = query.onlyStarred ? starredRepositoryIds(query) : await visibleRepositoryIds(db, query);
  return db
    .selectFrom(ids.as("listed"))
    .innerJoin("image_repository", "image_repository.id", "listed.id")
    .innerJoin("account", "account.id", "image_repository.namespace_id")
    .leftJoin("quota", "quota.namespace_id", "image_repository.namespace_id")
    .select(["image_repository.id", "image_repository.name", "image_repository.kind", "image_repository.visibility"])
    .select(["image_repository.state", "image_repository.description", "account.username as namespace"])
    .select(["image_repository.size_bytes", "quota.limit_bytes as quotaBytes"])
    .select(isStarredBy(accountId).as("isStarred"))
    .select((query.withLastModified ? newestTagStart(now) : sql<null>`null`).as("lastModifiedAt"))
    .select((query.withNewestImage ? newestImage(now) : sql<null>`null`).as("newestManifestId"))
    .select((query.withPopularity ? actionsSince(now - weekMs) : sql<null>`null`).as("popularity"))
    .orderBy("listed.id") // ordered by image_repository.id, SQLite would read all repositories
    .limit(query.limit)
    .execute();
}

function starredRepositoryIds(query: ListedRepositoriesQuery): RawBuilder<{ id: string }> {
  const { accountId, namespaceId, after, limit, viewer } = query;
  const inNamespace = namespaceId === undefined ? sql`` : sql`and image_repository.namespace_id = ${namespaceId}`;
  return sql`(select image_repository.id from repository_star
    join image_repository on image_repository.id = repository_star.repository_id
    where repository_star.account_id = ${accountId} and repository_star.repository_id > ${after} ${inNamespace}
      and ${isVisibleTo(viewer)}
    order by repository_star.repository_id limit ${limit})`;
}

function isStarredBy(accountId: string): RawBuilder<0 | 1> {
  return sql`case when exists (select 1 from repository_star
    where account_id = ${accountId} and repository_id = image_repository.id) then 1 else 0 end`;
}

function newestTagStart(now: number): RawBuilder<number | null> {
  return sql`(select start_at from tag where repository_id = image_repository.id and (end_at is null or end_at > ${now})
    order by start_at desc, name limit 1)`;
}

/** Tags of signatures and of lists of referrers (`sha256-…`) are not tags of images. */
function newestImage(now: number): RawBuilder<string | null> {
  return sql`(select manifest_id from tag where repository_id = image_repository.id and (end_at is null or end_at > ${now})
    and name not like 'sha256-%' order by start_at desc, name limit 1)`;
}

const weekMs = 7 * 86_400_000;

function actionsSince(at: number): RawBuilder<number | string | null> {
  return sql`(select sum(count) from daily_action_count
    where repository_id = image_repository.id and day >= ${new Date(at).toISOString().slice(0, 10)})`;
}

/** The viewer of a list of repositories. */
export type Viewer =
  | { readonly kind: "everything" }
  | { readonly kind: "account"; readonly accountId: string }
  /** Sees public repositories only. */
  | { readonly kind: "public" };

/** The viewer for a caller. */
export function repositoryViewer(principal: Principal, globalRole: GlobalRole): Viewer {
  if (seesEveryRepository(principal, globalRole)) return { kind: "everything" };
  const account = accountOf(principal);
  if (account === undefined || repositoryCap(heldScopes(principal)) === undefined) return { kind: "public" };
  return { kind: "account", accountId: account.id };
}

/** A query for the ids of visible repositories. */
interface VisibleRepositoriesQuery {
  readonly viewer: Viewer;
  /** Whether public repositories are included. */
  readonly withPublic: boolean;
  readonly namespaceId?: string | undefined;
  /** An id; the empty text for the first page. */
  readonly after: string;
  readonly limit: number;
}

/**
 * The ids of the first repositories after one that a viewer sees, as a subquery. Each reason to see a repository is a range of
 * one index in the order of ids, cut off at the limit, so that the cost does not grow with the number of repositories.
 */
export async function visibleRepositoryIds(
  db: RegistryDb,
  query: VisibleRepositoriesQuery,
): Promise<RawBuilder<{ id: string }>> {
  const { viewer, withPublic, namespaceId, after, limit } = query;
  const inNamespace = namespaceId === undefined ? sql`` : sql`and r.namespace_id = ${namespaceId}`;
  const first = (from: RawBuilder<unknown>, id: "r.id" | "p.repository_id") =>
    sql`select id from (select r.id from ${from} and ${sql.ref(id)} > ${after} and r.state <> 'deleted'
      order by ${sql.ref(id)} limit ${limit}) as part`;
  const all = (which: RawBuilder<unknown>) =>
    first(sql`image_repository r where ${which} ${inNamespace} and ${isEnabled}`, "r.id");
  const reasons: RawBuilder<unknown>[] = [];
  if (viewer.kind === "everything") reasons.push(all(sql`true`));
  else if (withPublic) reasons.push(all(sql`r.visibility = 'public'`));
  if (viewer.kind === "account") {
    const { accountId } = viewer;
    const { namespaceIds, teamIds } = await findReach(db, accountId, namespaceId);
    for (const part of parts(namespaceIds)) {
      reasons.push(first(sql`image_repository r where r.namespace_id in (${sql.join(part)})`, "r.id"));
    }
    for (const part of parts(teamIds)) {
      const grants = sql`team_permission p join image_repository r on r.id = p.repository_id`;
      reasons.push(first(sql`${grants} where p.team_id in (${sql.join(part)})`, "p.repository_id"));
    }
    const grants = sql`account_permission p join image_repository r on r.id = p.repository_id`;
    const toCaller = sql`${grants} where p.account_id = ${accountId} ${inNamespace} and ${isEnabled}`;
    reasons.push(first(toCaller, "p.repository_id"));
  }
  if (reasons.length === 0) return sql`(select id from image_repository where false)`;
  return sql`(${sql.join(reasons, sql` union `)})`;
}

/** In this form PostgreSQL estimates it well, and reads in the order of ids instead of sorting. */
const isEnabled = sql`not exists (select 1 from account where account.id = r.namespace_id and account.enabled = 0)`;

/** The namespaces and teams through which an account can read repositories, in addition to single grants. */
interface Reach {
  /** The account's own namespace, and those where one of its teams is an admin. */
  readonly namespaceIds: readonly string[];
  /** Its teams in other namespaces. */
  readonly teamIds: readonly string[];
}

/** The {@link Reach} of an account, in one namespace or in all. */
export async function findReach(db: RegistryDb, accountId: string, namespaceId: string | undefined): Promise<Reach> {
  const teams = await db
    .selectFrom("team_member")
    .innerJoin("team", "team.id", "team_member.team_id")
    .innerJoin("account", "account.id", "team.organization_id")
    .select(["team.id", "team.organization_id", "team.role"])
    .where("team_member.account_id", "=", accountId)
    .where("account.enabled", "=", 1)
    .execute();
  const isWanted = (id: string) => namespaceId === undefined || id === namespaceId;
  const admins = teams.filter(({ role }) => role === "admin").map(({ organization_id }) => organization_id);
  const namespaces = new Set([accountId, ...admins].filter(isWanted));
  const others = teams.filter(({ organization_id: id }) => isWanted(id) && !namespaces.has(id));
  return { namespaceIds: [...namespaces], teamIds: others.map(({ id }) => id) };
}

/** Splits ids into at most 100 parts, since a compound query of SQLite has at most 500 terms. */
function parts(ids: readonly string[]): readonly (readonly string[])[] {
  const size = Math.ceil(ids.length / 100);
  return Array.from({ length: Math.min(ids.length, 100) }, (_, index) =>
    ids.slice(index * size, (index + 1) * size),
  ).filter((part) => part.length > 0);
}

/** Whether a viewer sees a repository of the outer query, whose table is named `image_repository`. */
export function isVisibleTo(viewer: Viewer): RawBuilder<SqlBool> {
  return sql<SqlBool>`(image_repository.state <> 'deleted' and not exists (select 1 from account
    where account.id = image_repository.namespace_id and account.enabled = 0) and ${isReadableBy(viewer)})`;
}

function isReadableBy(viewer: Viewer): RawBuilder<unknown> {
  if (viewer.kind === "everything") return sql`true`;
  if (viewer.kind === "public") return sql`image_repository.visibility = 'public'`;
  const { accountId } = viewer;
  return sql`(image_repository.visibility = 'public' or image_repository.namespace_id = ${accountId}
    or exists (select 1 from team_member m join team t on t.id = m.team_id and t.role = 'admin'
      where m.account_id = ${accountId} and t.organization_id = image_repository.namespace_id)
    or exists (select 1 from account_permission p
      where p.repository_id = image_repository.id and p.account_id = ${accountId})
    or exists (select 1 from team_permission p join team_member m on m.team_id = p.team_id
      where p.repository_id = image_repository.id and m.account_id = ${accountId}))`;
}

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
