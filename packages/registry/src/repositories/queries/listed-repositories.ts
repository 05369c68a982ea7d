import { type RawBuilder, type Selectable, sql } from "kysely";
import { maxCounted, type OrderBy, readOrder } from "../../lists/list-pages.ts";
import { likeText } from "../../store/expressions.ts";
import type { RegistryDb } from "../../store/tables/all.ts";
import type { ImageRepositoryTable } from "../../store/tables/content.ts";
import { isVisibleTo, type VisibleRepositoriesQuery, visibleRepositoryIds } from "./visible-repositories.ts";

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

/** Which repositories are listed. */
interface WantedRepositories extends Pick<VisibleRepositoriesQuery, "viewer" | "withPublic" | "namespaceId"> {
  /** The account whose stars are shown; the empty text: no stars. */
  readonly accountId: string;
  readonly onlyStarred: boolean;
  /** A part of the name; only with an order. The empty text: all. */
  readonly find: string;
}

/** Which repositories are listed, and which columns of each. */
interface ListedRepositoriesQuery extends VisibleRepositoriesQuery, WantedRepositories {
  readonly withPopularity: boolean;
  readonly withLastModified: boolean;
  readonly withNewestImage: boolean;
  /** Of a namespace; by id where absent. */
  readonly order?: Ordering | undefined;
  readonly now: number;
}

/** An order of the repositories of a namespace. */
export type RepositoryOrder = OrderBy<"name" | "size" | "changed">;

/** An order, and the value and the id after which the page begins. */
interface Ordering {
  readonly by: RepositoryOrder;
  readonly after?: readonly [value: string | number, id: string] | undefined;
}

/** The first repositories after one that a viewer sees, by id or in the order that is asked for. */
export async function findListedRepositories(
  db: RegistryDb,
  query: ListedRepositoriesQuery,
): Promise<readonly ListedRepository[]> {
  const { accountId, now } = query;
  const { order } = query;
  const ids = await idsOf(db, query);
  const direction = readOrder(order?.by ?? "name").direction;
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
    .$if(order !== undefined, (rows) => rows.orderBy(sql.ref("listed.place"), direction))
    .orderBy("listed.id", direction) // ordered by image_repository.id, SQLite would read all repositories
    .limit(query.limit)
    .execute();
}

function idsOf(db: RegistryDb, query: ListedRepositoriesQuery) {
  if (query.order !== undefined) return orderedRepositoryIds(query, query.order);
  return query.onlyStarred ? starredRepositoryIds(query) : visibleRepositoryIds(db, query);
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

/**
 * The ids in an order. Name and size have an index of namespaces, so that only repositories that the viewer does not see are read in vain. The
 * last change is that of the newest living tag, so that one tag of each repository of the namespace is read.
 */
function orderedRepositoryIds(query: ListedRepositoriesQuery, { by, after }: Ordering): RawBuilder<{ id: string }> {
  const { column, direction } = readOrder(by);
  const place = {
    name: sql.ref("image_repository.name"),
    size: sql.ref("image_repository.size_bytes"),
    changed: sql`coalesce(${newestTagStart(query.now)}, 0)`,
  }[column];
  const [is, to] = direction === "asc" ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`];
  const isAfter =
    after === undefined ? sql`true` : sql`(${place}, image_repository.id) ${is} (${after[0]}, ${after[1]})`;
  return sql`(select image_repository.id, ${place} as place from image_repository
    where ${isWanted(query)} and ${isAfter}
    order by ${place} ${to}, image_repository.id ${to} limit ${query.limit})`;
}

/** Whether a repository is one of the wanted ones of a namespace. */
function isWanted({ accountId, namespaceId = "", viewer, withPublic, onlyStarred, find }: WantedRepositories) {
  const isStarred = onlyStarred ? sql`${isStarredBy(accountId)} = 1` : sql`true`;
  const isFound = find === "" ? sql`true` : sql`lower(image_repository.name) like ${likeText(find)} escape '\\'`;
  return sql`image_repository.namespace_id = ${namespaceId} and ${isFound} and ${isStarred}
    and ${isVisibleTo(viewer, withPublic || onlyStarred ? "with public ones" : "without public ones")}`;
}

/** How many repositories of a namespace are wanted, at most one more than {@link maxCounted}. */
export async function countListedRepositories(db: RegistryDb, wanted: WantedRepositories): Promise<number> {
  const { rows } = await sql<{ readonly count: number | string }>`select count(*) as count from (
    select 1 from image_repository where ${isWanted(wanted)} limit ${maxCounted + 1}) as wanted`.execute(db);
  return Number(rows[0]?.count ?? 0);
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
