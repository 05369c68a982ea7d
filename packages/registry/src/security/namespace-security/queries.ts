import { type RawBuilder, type SqlBool, sql } from "kysely";
import { countColumns, type StoredCounts } from "../../content/queries/finding-counts.ts";
import { isVisibleTo, type Viewer, visibleRepositoryIds } from "../../repositories/queries/visible-repositories.ts";
import { readLength } from "../../store/bounded-reads.ts";
import { asNumber } from "../../store/expressions.ts";
import type { RegistryDb, Row } from "../../store/tables/all.ts";

/** The counts of a repository on a day. */
export type DailyCounts = Row<"daily_finding_count">;

/** The counts of some repositories from a day on, each with the last counts before that day, which still hold on it. */
export function listDailyCounts(
  db: RegistryDb,
  { repositoryIds, firstDay }: { readonly repositoryIds: readonly string[]; readonly firstDay: string },
): Promise<readonly DailyCounts[]> {
  return db
    .selectFrom("daily_finding_count as stored")
    .selectAll()
    .where("repository_id", "in", repositoryIds)
    .where("day", ">=", ({ selectFrom }) =>
      selectFrom("daily_finding_count as earlier")
        .select(({ fn }) => fn.coalesce(fn.max("earlier.day"), sql<string>`${firstDay}`).as("day"))
        .whereRef("earlier.repository_id", "=", "stored.repository_id")
        .where("earlier.day", "<=", firstDay),
    )
    .orderBy("repository_id")
    .orderBy("day")
    .limit(readLength)
    .execute();
}

/** Stores the counts of a day, or replaces them. */
export async function putDailyCounts(db: RegistryDb, counts: DailyCounts): Promise<void> {
  const { repository_id: _, day: __, ...changes } = counts;
  await db
    .insertInto("daily_finding_count")
    .values(counts)
    .onConflict((conflict) => conflict.columns(["repository_id", "day"]).doUpdateSet(changes))
    .execute();
}

/** Deletes the counts of days before a day, except the last ones, which still hold on that day. */
export async function deleteDailyCounts(db: RegistryDb, repositoryId: string, before: string): Promise<void> {
  await db
    .deleteFrom("daily_finding_count")
    .where("repository_id", "=", repositoryId)
    .where("day", "<", ({ selectFrom }) =>
      selectFrom("daily_finding_count as later")
        .select(({ fn }) => fn.coalesce(fn.max("later.day"), sql<string>`''`).as("day"))
        .where("later.repository_id", "=", repositoryId)
        .where("later.day", "<=", before),
    )
    .execute();
}

/** A repository of a namespace. */
export type NamedRepository = Pick<Row<"image_repository">, "id" | "name">;

/** Some repositories of a namespace that a viewer sees, in the order of their ids. */
export function listVisible(
  db: RegistryDb,
  { namespaceId, viewer, after }: { readonly namespaceId: string; readonly viewer: Viewer; readonly after: string },
): Promise<readonly NamedRepository[]> {
  return db
    .selectFrom("image_repository")
    .select(["image_repository.id", "image_repository.name"])
    .where("image_repository.namespace_id", "=", namespaceId)
    .where("image_repository.id", ">", after)
    .where(isVisibleTo(viewer))
    .orderBy("image_repository.id")
    .limit(readLength)
    .execute();
}

/** An image with its counts, and the finding of the requested vulnerability. */
export interface FoundImage extends StoredCounts {
  readonly id: string;
  readonly digest: string;
  readonly repository_id: string;
  /** Of the requested vulnerability; null: it was not found. */
  readonly severity: Row<"found_vulnerability">["severity"] | null;
  readonly has_fix: 0 | 1 | null;
  readonly is_exploited: 0 | 1 | null;
}

/** Which images are read. */
interface ShownImages {
  readonly repositoryIds: readonly string[];
  /** The digest that the images of a single repository begin after. */
  readonly after: string;
  /** A vulnerability, as it is stored; the empty text: none. */
  readonly vulnerability: string;
  readonly now: number;
}

/** Images that a living tag shows, itself or in an image index; those of a single repository in the order of their digests. */
export function listShownImages(
  db: RegistryDb,
  { repositoryIds, after, vulnerability, now }: ShownImages,
): Promise<readonly FoundImage[]> {
  return db
    .selectFrom("image_manifest")
    .innerJoin("manifest_scan", "manifest_scan.manifest_id", "image_manifest.id")
    .leftJoin("finding_count", "finding_count.manifest_id", "image_manifest.id")
    .leftJoin("found_vulnerability as found", (join) =>
      join.onRef("found.manifest_id", "=", "image_manifest.id").on("found.name", "=", vulnerability),
    )
    .select(["image_manifest.id", "image_manifest.digest", "image_manifest.repository_id"])
    .select(countColumns)
    .select(["found.severity", "found.has_fix", "found.is_exploited"])
    .where("image_manifest.repository_id", "in", repositoryIds)
    .where("image_manifest.digest", ">", after)
    .where("image_manifest.deleted_at", "is", null)
    .where(isShown(now))
    .$if(repositoryIds.length === 1, (one) => one.orderBy("image_manifest.digest"))
    .limit(readLength)
    .execute();
}

/**
 * Whether a living tag shows an image, itself or by an index. Written so that PostgreSQL looks up the tags of each image, instead of
 * reading those of all images for each page.
 */
function isShown(now: number): RawBuilder<SqlBool> {
  const alive = sql`(tag.end_at is null or tag.end_at > ${now})`;
  return sql`((select 1 from tag where tag.manifest_id = image_manifest.id and ${alive} limit 1) is not null
    or (select 1 from manifest_child join tag on tag.manifest_id = manifest_child.manifest_id
      where manifest_child.child_id = image_manifest.id and ${alive} limit 1) is not null)`;
}

/** The most tags that are shown of an image. */
const maxTags = 10;

/** Some names of the living tags that show each of some images, themselves or by an image index. */
export async function listTagsOfImages(
  db: RegistryDb,
  { manifestIds, now }: { readonly manifestIds: readonly string[]; readonly now: number },
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  if (manifestIds.length === 0) return [];
  const ids = sql.join(manifestIds);
  const { rows } = await sql<{ readonly id: string; readonly name: string }>`
    select id, name from (
      select id, name, row_number() over (partition by id order by name) as place from (
        select tag.manifest_id as id, tag.name from tag
          where tag.manifest_id in (${ids}) and (tag.end_at is null or tag.end_at > ${now})
        union
        select manifest_child.child_id as id, tag.name from manifest_child
          join tag on tag.manifest_id = manifest_child.manifest_id
          where manifest_child.child_id in (${ids}) and (tag.end_at is null or tag.end_at > ${now})) as shown) as placed
    where place <= ${maxTags} order by id, name`.execute(db);
  return rows;
}

/** The upgrades of some images; a single image has fewer than one read takes. */
export function listUpgrades(db: RegistryDb, manifestIds: readonly string[]): Promise<readonly Row<"found_upgrade">[]> {
  return db.selectFrom("found_upgrade").selectAll().where("manifest_id", "in", manifestIds).limit(readLength).execute();
}

/** A repository with its namespace. */
export interface PlacedRepository {
  readonly id: string;
  readonly name: string;
  readonly namespace: string;
}

/** Some repositories that a viewer may read by a permission, and not merely because they are public, in the order of their ids. */
export async function listGranted(db: RegistryDb, viewer: Viewer, after: string): Promise<readonly PlacedRepository[]> {
  const ids = await visibleRepositoryIds(db, { viewer, withPublic: false, after, limit: readLength });
  return db
    .selectFrom(ids.as("listed"))
    .innerJoin("image_repository", "image_repository.id", "listed.id")
    .innerJoin("account", "account.id", "image_repository.namespace_id")
    .select(["image_repository.id", "image_repository.name", "account.username as namespace"])
    .orderBy("listed.id")
    .limit(readLength)
    .execute();
}

/** An image in which a vulnerability was found lately, with the counts of all its vulnerabilities. */
export interface ImageWithNews extends StoredCounts {
  readonly id: string;
  readonly digest: string;
  readonly repository_id: string;
  readonly news_at: number | null;
}

/** Which images are read. */
interface NewsQuery {
  readonly repositoryIds: readonly string[];
  /** The digest that the images of a single repository begin after. */
  readonly after: string;
  /** Epoch milliseconds. */
  readonly since: number;
  readonly now: number;
}

/** Images with a living tag in which a vulnerability was found after an instant; those of a single repository in the order of their digests. */
export function listImagesWithNews(
  db: RegistryDb,
  { repositoryIds, after, since, now }: NewsQuery,
): Promise<readonly ImageWithNews[]> {
  return db
    .selectFrom("image_manifest")
    .innerJoin("finding_count", "finding_count.manifest_id", "image_manifest.id")
    .select(["image_manifest.id", "image_manifest.digest", "image_manifest.repository_id"])
    .select(countColumns)
    .select("finding_count.news_at")
    .where("image_manifest.repository_id", "in", repositoryIds)
    .where("image_manifest.digest", ">", after)
    .where("image_manifest.deleted_at", "is", null)
    .where("finding_count.news_at", ">", since)
    .where(isShown(now))
    .$if(repositoryIds.length === 1, (one) => one.orderBy("image_manifest.digest"))
    .limit(readLength)
    .execute();
}

/** A vulnerability that was found in an image. */
export type NewVulnerability = Pick<Row<"found_vulnerability">, "manifest_id" | "name" | "severity" | "is_exploited">;

/** The vulnerabilities that were found in an image after an instant, each by its main name. */
export function listNewVulnerabilities(
  db: RegistryDb,
  { manifestId, since }: { readonly manifestId: string; readonly since: number },
): Promise<readonly NewVulnerability[]> {
  return db
    .selectFrom("found_vulnerability")
    .select(["manifest_id", "name", "severity", "is_exploited"])
    .where("manifest_id", "=", manifestId)
    .where("found_at", ">", since)
    .where("is_alias", "=", 0)
    .execute();
}

/** An image that has a vulnerability, and whether the viewer may see the image. */
export interface ImageWithVulnerability {
  readonly id: string;
  readonly digest: string;
  readonly repository_id: string;
  readonly repository: string;
  readonly namespace: string;
  readonly severity: Row<"found_vulnerability">["severity"];
  readonly has_fix: 0 | 1;
  readonly is_exploited: 0 | 1;
  readonly is_seen: 0 | 1;
}

/** Which images are read. */
interface VulnerabilityQuery {
  /** As it is stored. */
  readonly name: string;
  /** An id; the empty text for the first. */
  readonly after: string;
  readonly viewer: Viewer;
  readonly now: number;
}

/** Some images that have a vulnerability, in the order of their ids. Includes those that the viewer may not see, so that each read is bounded. */
export function listImagesWith(
  db: RegistryDb,
  { name, after, viewer, now }: VulnerabilityQuery,
): Promise<readonly ImageWithVulnerability[]> {
  const isSeen = sql<SqlBool>`image_manifest.deleted_at is null and ${isVisibleTo(viewer)} and ${isShown(now)}`;
  return db
    .selectFrom("found_vulnerability as found")
    .innerJoin("image_manifest", "image_manifest.id", "found.manifest_id")
    .innerJoin("image_repository", "image_repository.id", "image_manifest.repository_id")
    .innerJoin("account as owner", "owner.id", "image_repository.namespace_id")
    .select(["found.manifest_id as id", "image_manifest.digest", "image_manifest.repository_id"])
    .select(["image_repository.name as repository", "owner.username as namespace"])
    .select(["found.severity", "found.has_fix", "found.is_exploited"])
    .select(asNumber(isSeen).as("is_seen"))
    .where("found.name", "=", name)
    .where("found.manifest_id", ">", after)
    .orderBy("found.manifest_id")
    .limit(readLength)
    .execute();
}

/** An image with its place. */
export interface ShownImage extends Pick<ImageWithVulnerability, "id" | "digest" | "repository" | "namespace"> {}

/** The images with some digests that a living tag shows, in repositories that a viewer may see: by repository and digest. */
export function listSeenImages(
  db: RegistryDb,
  { digests, viewer, now }: { readonly digests: readonly string[]; readonly viewer: Viewer; readonly now: number },
): Promise<readonly ShownImage[]> {
  return db
    .selectFrom("image_manifest")
    .innerJoin("image_repository", "image_repository.id", "image_manifest.repository_id")
    .innerJoin("account as owner", "owner.id", "image_repository.namespace_id")
    .select(["image_manifest.id", "image_manifest.digest"])
    .select(["image_repository.name as repository", "owner.username as namespace"])
    .where("image_manifest.digest", "in", digests)
    .where("image_manifest.deleted_at", "is", null)
    .where(isVisibleTo(viewer))
    .where(isShown(now))
    .orderBy("owner.username")
    .orderBy("image_repository.name")
    .orderBy("image_manifest.digest")
    .limit(readLength)
    .execute();
}

/** How many vulnerabilities of a severity were found in some images within a period. */
export interface AgedCount {
  readonly severity: Row<"found_vulnerability">["severity"];
  /** The place of the period in the list that was asked for; its length for those that are older. */
  readonly period: number;
  readonly count: number;
  readonly fixable: number;
  readonly exploited: number;
}

/**
 * The vulnerabilities of some images by severity and by when they were found, at the latest in the first scan: those of a first scan are as old as the image
 * in its repository.
 * @param since the beginnings of the periods, the latest first
 */
export function countByAge(
  db: RegistryDb,
  manifestIds: readonly string[],
  since: readonly number[],
): Promise<readonly AgedCount[]> {
  const foundAt = sql`coalesce(found.found_at, image_manifest.created_at)`;
  const cases = since.map((at, index) => sql`when ${foundAt} > ${sql.lit(at)} then ${sql.lit(index)}`);
  const period = sql<number>`case ${sql.join(cases, sql` `)} else ${sql.lit(since.length)} end`;
  return db
    .selectFrom("found_vulnerability as found")
    .innerJoin("image_manifest", "image_manifest.id", "found.manifest_id")
    .select(["found.severity", period.as("period")])
    .select(({ fn }) => [
      fn.countAll<number>().as("count"),
      sql<number>`sum(found.has_fix)`.as("fixable"),
      sql<number>`sum(found.is_exploited)`.as("exploited"),
    ])
    .where("found.manifest_id", "in", manifestIds)
    .where("found.is_alias", "=", 0)
    .groupBy(["found.severity", period])
    .limit(readLength)
    .execute();
}
