import { type SqlBool, sql } from "kysely";
import { readLength } from "../../store/bounded-reads.ts";
import { asNumber } from "../../store/expressions.ts";
import type { RegistryDb, Row } from "../../store/tables/all.ts";
import { isVisibleTo, type Viewer } from "./visible-repositories.ts";

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
