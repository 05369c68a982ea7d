import { type RawBuilder, type SqlBool, sql } from "kysely";
import { countColumns } from "../../content/queries/finding-counts.ts";
import { isVisibleTo, type Viewer } from "../../repositories/queries/visible-repositories.ts";
import type { RegistryDb, Row } from "../../store/tables/all.ts";
import { isShown } from "./shown-images.ts";

/** Which of the images that a viewer may see are listed. */
export interface VisiblePage {
  readonly viewer: Viewer;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly offset: number;
  readonly limit: number;
}

/** Images that a living tag shows, in repositories that a viewer sees. */
function visibleImages(db: RegistryDb, { viewer, now }: Pick<VisiblePage, "viewer" | "now">) {
  return db
    .selectFrom("finding_count")
    .innerJoin("image_manifest", "image_manifest.id", "finding_count.manifest_id")
    .innerJoin("image_repository", "image_repository.id", "image_manifest.repository_id")
    .innerJoin("account as namespace", "namespace.id", "image_repository.namespace_id")
    .where("image_manifest.deleted_at", "is", null)
    .where(isVisibleTo(viewer))
    .where(isShown(now))
    .select(["image_manifest.id", "image_manifest.digest", "image_manifest.repository_id"])
    .select(["image_repository.name as repository", "namespace.username as namespace"]);
}

/** Images with a vulnerability that was found after an instant, and what they have; the latest first. */
export function listImagesWithNews(db: RegistryDb, since: number, { offset, limit, ...visible }: VisiblePage) {
  return visibleImages(db, visible)
    .select(countColumns)
    .select("finding_count.news_at")
    .where("finding_count.news_at", ">", since)
    .orderBy("finding_count.news_at", "desc")
    .orderBy("image_manifest.id")
    .offset(offset)
    .limit(limit)
    .execute();
}

/** Images that have a vulnerability, as it is stored, by repository and digest. */
export function listImagesWith(db: RegistryDb, name: string, { offset, limit, ...visible }: VisiblePage) {
  return visibleImages(db, visible)
    .innerJoin("found_vulnerability as found", "found.manifest_id", "image_manifest.id")
    .select(["found.severity", "found.has_fix", "found.is_exploited"])
    .where("found.name", "=", name)
    .orderBy("namespace.username")
    .orderBy("image_repository.name")
    .orderBy("image_manifest.digest")
    .offset(offset)
    .limit(limit)
    .execute();
}

/** A vulnerability that was found in an image. */
export type NewVulnerability = Pick<Row<"found_vulnerability">, "manifest_id" | "name" | "severity" | "is_exploited">;

/** The vulnerabilities that were found in some images after an instant, each by its own name. */
export function listNewVulnerabilities(
  db: RegistryDb,
  {
    manifestIds,
    since,
    most,
  }: { readonly manifestIds: readonly string[]; readonly since: number; readonly most: number },
): Promise<readonly NewVulnerability[]> {
  if (manifestIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom("found_vulnerability")
    .select(["manifest_id", "name", "severity", "is_exploited"])
    .where("manifest_id", "in", manifestIds)
    .where(isNews(since))
    .orderBy("name")
    .limit(most)
    .execute();
}

function isNews(since: number): RawBuilder<SqlBool> {
  return sql`found_at > ${since} and is_alias = 0`;
}
