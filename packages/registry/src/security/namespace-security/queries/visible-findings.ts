import { type SqlBool, sql } from "kysely";
import { countColumns, type StoredCounts } from "../../../content/queries/finding-counts.ts";
import { isVisibleTo, type Viewer, visibleRepositoryIds } from "../../../repositories/queries/visible-repositories.ts";
import { asNumber } from "../../../store/as-number.ts";
import { readLength } from "../../../store/bounded-reads.ts";
import type { RegistryDb, Row } from "../../../store/tables/all.ts";
import { isShown } from "./shown-images.ts";

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
export interface NewsQuery {
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
export interface VulnerabilityQuery {
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
