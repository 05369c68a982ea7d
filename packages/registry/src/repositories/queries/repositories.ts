import { compileOnce, type Parameter } from "@plimsoll/store";
import { type InferResult, type RawBuilder, type SqlBool, sql } from "kysely";
import type { ReadFrom } from "../../lists/list-pages.ts";
import { readLength } from "../../store/bounded-reads.ts";
import { asNumber, hourOf, isAlive, startOfHour } from "../../store/expressions.ts";
import type { NewRow, RegistryDb, Row, RowChanges } from "../../store/tables/all.ts";
import { dayOf } from "../../values/dates.ts";
import { isVisibleTo, type Viewer } from "./visible-repositories.ts";

/** Some ids of repositories, in order. */
export async function listRepositoryIds(
  db: RegistryDb,
  { after, limit }: ReadFrom<string>,
): Promise<readonly string[]> {
  const page = await db
    .selectFrom("image_repository")
    .select("id")
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
  return page.map(({ id }) => id);
}

/** Stores a repository. @returns false if its namespace has a repository of that name */
export async function insertRepository(db: RegistryDb, repository: NewRow<"image_repository">): Promise<boolean> {
  const inserted = await db
    .insertInto("image_repository")
    .values(repository)
    .onConflict((conflict) => conflict.columns(["namespace_id", "name"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Changes a repository. */
export async function updateRepository(
  db: RegistryDb,
  id: string,
  changes: RowChanges<"image_repository">,
): Promise<void> {
  await db.updateTable("image_repository").set(changes).where("id", "=", id).execute();
}

/** Sets the state of a repository, unless it is deleted. */
export async function setRepositoryState(
  db: RegistryDb,
  id: string,
  state: Exclude<Row<"image_repository">["state"], "deleted">,
): Promise<void> {
  const update = db.updateTable("image_repository").set({ state }).where("id", "=", id);
  await update.where("state", "!=", "deleted").execute();
}

/** Stores a star, unless it is stored already. */
export async function insertStar(db: RegistryDb, row: NewRow<"repository_star">): Promise<void> {
  await db
    .insertInto("repository_star")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes a star. @returns false if there is none */
export async function deleteStar(
  db: RegistryDb,
  row: { readonly accountId: string; readonly repositoryId: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("repository_star")
    .where("account_id", "=", row.accountId)
    .where("repository_id", "=", row.repositoryId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** How many tags the view of a repository has at most; the oldest are left out. */
const maxTags = 500;

/** The star that an account has given a repository. */
export const findStars = compileOnce(
  (db: RegistryDb, parameter: Parameter<{ repositoryId: string; accountId: string }>) =>
    db
      .selectFrom("repository_star")
      .select("created_at")
      .where("account_id", "=", parameter("accountId"))
      .where("repository_id", "=", parameter("repositoryId")),
);

/** The newest alive tags of a repository. */
export async function listNewestTags(db: RegistryDb, repositoryId: string, now: number): Promise<readonly NewestTag[]> {
  const rows = await listSinceHour(db, { repositoryId, hour: hourOf(now) });
  return rows.every((tag) => isAlive(tag, now)) ? rows : listAt(db, { repositoryId, now });
}

type NewestTag = InferResult<ReturnType<typeof newestTags>>[number];

const listSinceHour = compileOnce((db: RegistryDb, parameter: Parameter<{ repositoryId: string; hour: number }>) =>
  newestTags(db, parameter("repositoryId"), startOfHour(parameter("hour"))),
);

const listAt = compileOnce((db: RegistryDb, parameter: Parameter<{ repositoryId: string; now: number }>) =>
  newestTags(db, parameter("repositoryId"), parameter("now")),
);

function newestTags(db: RegistryDb, repositoryId: RawBuilder<string>, aliveAt: RawBuilder<number>) {
  return db
    .selectFrom("tag")
    .innerJoin("image_manifest", "image_manifest.id", "tag.manifest_id")
    .select(["tag.name", "tag.start_at", "tag.end_at", "image_manifest.digest", "image_manifest.layers_size_bytes"])
    .where("tag.repository_id", "=", repositoryId)
    .where((where) => where.or([where("tag.end_at", "is", null), where("tag.end_at", ">", aliveAt)]))
    .orderBy("tag.start_at", "desc")
    .orderBy("tag.name")
    .limit(maxTags);
}

/** The tag that a client should pull: `latest` where it is alive, else the tag that began last; undefined where there is none. */
export async function findPullTag(db: RegistryDb, repositoryId: string, now: number): Promise<string | undefined> {
  const [latest] = await findAliveTag(db, { repositoryId, now, name: "latest" });
  const [newest] = latest === undefined ? await findNewestTag(db, { repositoryId, now }) : [latest];
  return newest?.name;
}

const findAliveTag = compileOnce(
  (db: RegistryDb, parameter: Parameter<{ repositoryId: string; now: number; name: string }>) =>
    aliveTag(db, parameter).where("name", "=", parameter("name")),
);

const findNewestTag = compileOnce((db: RegistryDb, parameter: Parameter<{ repositoryId: string; now: number }>) =>
  aliveTag(db, parameter).orderBy("start_at", "desc").orderBy("name"),
);

function aliveTag(db: RegistryDb, parameter: Parameter<{ repositoryId: string; now: number }>) {
  return db
    .selectFrom("tag")
    .select("name")
    .where("repository_id", "=", parameter("repositoryId"))
    .where((where) => where.or([where("end_at", "is", null), where("end_at", ">", parameter("now"))]))
    .where("name", "not like", "sha256-%") // of signatures and lists of referrers
    .limit(1);
}

/** How often a repository was used, by day, from a day on; without the days that have no count. */
export async function findDailyCounts(
  db: RegistryDb,
  repositoryId: string,
  firstDay: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom("daily_action_count")
    .select(["day", "count"])
    .where("repository_id", "=", repositoryId)
    .where("day", ">=", firstDay)
    .execute();
  return new Map(rows.map(({ day, count }) => [day, count]));
}

/** How often repositories were pulled, by day, from a day on. Days without a pull are not among them. */
export function listDailyPulls(
  db: RegistryDb,
  repositoryIds: readonly string[],
  firstDay: string,
): Promise<readonly { readonly repository_id: string; readonly day: string; readonly pulls: number }[]> {
  if (repositoryIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom("daily_action_count")
    .select(["repository_id", "day", "pulls"])
    .where("repository_id", "in", repositoryIds)
    .where("day", ">=", firstDay)
    .where("pulls", ">", 0)
    .execute();
}

/**
 * Stores how many entries of the usage log some repositories have in a span of time, as the count of its day. A repeated call
 * changes nothing.
 */
export async function putDailyCounts(
  db: RegistryDb,
  repositoryIds: readonly string[],
  { startAt, endAt }: { readonly startAt: number; readonly endAt: number },
): Promise<void> {
  await db
    .insertInto("daily_action_count")
    .columns(["repository_id", "day", "count", "pulls"])
    .expression((from) =>
      from
        .selectFrom("usage_log")
        .select(({ fn }) => ["repository_id", sql.val(dayOf(startAt)).as("day"), fn.countAll<number>().as("count")])
        .select(sql<number>`sum(case when kind = 'pull_repo' then 1 else 0 end)`.as("pulls"))
        .where("repository_id", "in", repositoryIds)
        .where("at", ">=", startAt)
        .where("at", "<", endAt)
        .groupBy("repository_id")
        .$narrowType<{ repository_id: string }>(),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes the counts before a day. */
export async function deleteDailyCounts(db: RegistryDb, before: string): Promise<void> {
  await db.deleteFrom("daily_action_count").where("day", "<", before).execute();
}

/** Stores the present sizes of some repositories as those of a day, where they differ from what was stored last. */
export async function putDailySizes(db: RegistryDb, repositoryIds: readonly string[], day: string): Promise<void> {
  await sql`insert into daily_size (repository_id, day, size_bytes)
    select id, cast(${day} as text), size_bytes from image_repository
      where id in (${sql.join(repositoryIds)}) and state <> 'deleted' and size_bytes <> coalesce((
        select stored.size_bytes from daily_size stored
          where stored.repository_id = image_repository.id order by stored.day desc limit 1), 0)
    on conflict (repository_id, day) do update set size_bytes = excluded.size_bytes`.execute(db);
}

/** Deletes the sizes of some repositories on days before a day, except the last ones, which still hold on that day. */
export async function deleteDailySizes(
  db: RegistryDb,
  repositoryIds: readonly string[],
  before: string,
): Promise<void> {
  await db
    .deleteFrom("daily_size")
    .where("repository_id", "in", repositoryIds)
    .where("day", "<", ({ selectFrom }) =>
      selectFrom("daily_size as later")
        .select(({ fn }) => fn.coalesce(fn.max("later.day"), sql<string>`''`).as("day"))
        .whereRef("later.repository_id", "=", "daily_size.repository_id")
        .where("later.day", "<=", before),
    )
    .execute();
}

/** The sizes of some repositories from a day on, each with the last before that day, which still holds on it; by repository and day. */
export function listDailySizes(
  db: RegistryDb,
  repositoryIds: readonly string[],
  firstDay: string,
): Promise<readonly Row<"daily_size">[]> {
  return db
    .selectFrom("daily_size as stored")
    .selectAll()
    .where("repository_id", "in", repositoryIds)
    .where("day", ">=", ({ selectFrom }) =>
      selectFrom("daily_size as earlier")
        .select(({ fn }) => fn.coalesce(fn.max("earlier.day"), sql<string>`${firstDay}`).as("day"))
        .whereRef("earlier.repository_id", "=", "stored.repository_id")
        .where("earlier.day", "<=", firstDay),
    )
    .orderBy("repository_id")
    .orderBy("day")
    .limit(readLength)
    .execute();
}

/** The pulls of some repositories on the days from one on; days without a pull are not among them. */
export function listPullsByDay(
  db: RegistryDb,
  repositoryIds: readonly string[],
  firstDay: string,
): Promise<readonly Pick<Row<"daily_action_count">, "repository_id" | "day" | "pulls">[]> {
  return db
    .selectFrom("daily_action_count")
    .select(["repository_id", "day", "pulls"])
    .where("repository_id", "in", repositoryIds)
    .where("day", ">=", firstDay)
    .where("pulls", ">", 0)
    .orderBy("repository_id")
    .orderBy("day")
    .limit(readLength)
    .execute();
}

/** A repository with its present size. */
export interface SizedRepository {
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
  readonly size_bytes: number;
  /** Whether the viewer may read it. */
  readonly is_seen: 0 | 1;
}

/** Which repositories are read. */
interface SizedQuery {
  /** Undefined: all of the registry, also those that the viewer may not read. */
  readonly namespaceId: string | undefined;
  readonly viewer: Viewer;
  /** An id; the empty text for the first. */
  readonly after: string;
}

/** Some repositories that a viewer sees in a namespace, or some of all repositories, in the order of their ids. */
export function listSizedRepositories(
  db: RegistryDb,
  { namespaceId, viewer, after }: SizedQuery,
): Promise<readonly SizedRepository[]> {
  const isSeen = isVisibleTo(viewer);
  const repositories = db
    .selectFrom("image_repository")
    .innerJoin("account as owner", "owner.id", "image_repository.namespace_id")
    .select(["image_repository.id", "image_repository.name", "owner.username as namespace"])
    .select(["image_repository.size_bytes", asNumber(sql<SqlBool>`${isSeen}`).as("is_seen")])
    .where("image_repository.id", ">", after)
    .orderBy("image_repository.id")
    .limit(readLength);
  if (namespaceId === undefined) return repositories.where("image_repository.state", "<>", "deleted").execute();
  return repositories.where("image_repository.namespace_id", "=", namespaceId).where(isSeen).execute();
}
