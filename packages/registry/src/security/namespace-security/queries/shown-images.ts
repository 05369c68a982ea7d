import { type RawBuilder, type SqlBool, sql } from "kysely";
import { countColumns, type StoredCounts } from "../../../content/queries/finding-counts.ts";
import { isVisibleTo, type Viewer } from "../../../repositories/queries/visible-repositories.ts";
import { readLength } from "../../../store/bounded-reads.ts";
import type { RegistryDb, Row } from "../../../store/tables/all.ts";

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
export interface ShownImages {
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
export function isShown(now: number): RawBuilder<SqlBool> {
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
