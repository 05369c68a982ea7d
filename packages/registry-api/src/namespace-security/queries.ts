import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type CountedColumn, countColumns, type StoredCounts } from "../content/queries/finding-counts.ts";
import { isVisibleTo, type Viewer } from "../repositories/queries/visible-repositories.ts";
import type { RegistryDb, Row } from "../store/tables/all.ts";

/** The images of a namespace that a viewer sees. */
export interface ImagesOfNamespace {
  readonly namespaceId: string;
  readonly viewer: Viewer;
  readonly now: number;
}

/** Images that a living tag shows, itself or in an image index. Each repository's copy of an image is one. */
function shownImages(db: RegistryDb, { namespaceId, viewer, now }: ImagesOfNamespace) {
  return db
    .selectFrom("image_repository")
    .innerJoin("image_manifest", "image_manifest.repository_id", "image_repository.id")
    .innerJoin("manifest_scan", "manifest_scan.manifest_id", "image_manifest.id")
    .leftJoin("finding_count", "finding_count.manifest_id", "image_manifest.id")
    .where("image_repository.namespace_id", "=", namespaceId)
    .where("image_manifest.deleted_at", "is", null)
    .where(isVisibleTo(viewer))
    .where(isShown(now));
}

function isShown(now: number): RawBuilder<SqlBool> {
  const alive = sql`(tag.end_at is null or tag.end_at > ${now})`;
  return sql`(exists (select 1 from tag where tag.manifest_id = image_manifest.id and ${alive})
    or exists (select 1 from manifest_child join tag on tag.manifest_id = manifest_child.manifest_id
      where manifest_child.child_id = image_manifest.id and ${alive}))`;
}

/** Sums over the images of a namespace. */
export async function sumFindings(db: RegistryDb, query: ImagesOfNamespace) {
  const sum = (column: CountedColumn) =>
    sql<number>`cast(coalesce(sum(${sql.ref(`finding_count.${column}`)}), 0) as bigint)`.as(column);
  return shownImages(db, query)
    .select([
      sql<number>`cast(count(*) as bigint)`.as("images"),
      sql<number>`cast(count(finding_count.counted_at) as bigint)`.as("counted"),
      ...(["critical", "high", "medium", "low", "negligible", "unknown"] as const).map(sum),
      ...(["fixable", "exploited", "is_partial"] as const).map(sum),
    ])
    .executeTakeFirstOrThrow();
}

interface Part {
  readonly offset: number;
  readonly limit: number;
}

/** An image, where it is, and how many vulnerabilities it has. */
export interface CountedNamespaceImage extends StoredCounts {
  readonly id: string;
  readonly digest: string;
  readonly repository: string;
}

/** Some images of a namespace, the worst first; those that are not counted come last. */
export function listWorstImages(
  db: RegistryDb,
  { offset, limit, ...query }: ImagesOfNamespace & Part,
): Promise<readonly CountedNamespaceImage[]> {
  const worst = (["critical", "high", "medium", "low", "negligible", "unknown"] as const).map(
    (column) => sql`coalesce(${sql.ref(`finding_count.${column}`)}, -1) desc`,
  );
  return shownImages(db, query)
    .select(["image_manifest.id", "image_manifest.digest", "image_repository.name as repository"])
    .select(countColumns)
    .orderBy(sql`${sql.join(worst)}, image_repository.name, image_manifest.digest`)
    .offset(offset)
    .limit(limit)
    .execute();
}

/** An image of a namespace that has a vulnerability. */
export interface AffectedNamespaceImage
  extends Pick<Row<"found_vulnerability">, "severity" | "has_fix" | "is_exploited"> {
  readonly id: string;
  readonly digest: string;
  readonly repository: string;
}

/** Some images of a namespace that have a vulnerability, by one of its names in small letters; in the order of their repositories. */
export function listAffectedImages(
  db: RegistryDb,
  { name, offset, limit, ...query }: ImagesOfNamespace & { readonly name: string } & Part,
): Promise<readonly AffectedNamespaceImage[]> {
  return shownImages(db, query)
    .innerJoin("found_vulnerability", "found_vulnerability.manifest_id", "image_manifest.id")
    .select(["image_manifest.id", "image_manifest.digest", "image_repository.name as repository"])
    .select(["found_vulnerability.severity", "found_vulnerability.has_fix", "found_vulnerability.is_exploited"])
    .where("found_vulnerability.name", "=", name)
    .orderBy("image_repository.name")
    .orderBy("image_manifest.digest")
    .offset(offset)
    .limit(limit)
    .execute();
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
