import { inChunks } from "../../store/bounded-reads.ts";
import type { RegistryDb, Row } from "../../store/tables/all.ts";

/** The stored counts of an image's vulnerabilities. */
export type StoredCounts = Omit<Row<"finding_count">, "manifest_id" | "due_at" | "news_at">;

/** The columns of {@link StoredCounts}. */
export const countColumns = [
  ...(["critical", "high", "medium", "low", "negligible", "unknown", "fixable", "exploited"] as const),
  ...(["is_partial", "data_state", "counted_at"] as const),
];

/** The counts of an image that a manifest shows. */
interface ShownCounts extends StoredCounts {
  /** The id of the manifest. */
  readonly shownBy: string;
}

/** The counts of the images that some manifests show: the manifest itself, or those that an image index lists. */
export async function listCountsOf(db: RegistryDb, manifestIds: readonly string[]): Promise<readonly ShownCounts[]> {
  const found: ShownCounts[] = [];
  for (const some of inChunks(manifestIds)) {
    const own = db
      .selectFrom("manifest_scan")
      .leftJoin("finding_count", "finding_count.manifest_id", "manifest_scan.manifest_id")
      .select("manifest_scan.manifest_id as shownBy")
      .select(countColumns)
      .where("manifest_scan.manifest_id", "in", some);
    const listed = db
      .selectFrom("manifest_child")
      .innerJoin("manifest_scan", "manifest_scan.manifest_id", "manifest_child.child_id")
      .leftJoin("finding_count", "finding_count.manifest_id", "manifest_child.child_id")
      .select("manifest_child.manifest_id as shownBy")
      .select(countColumns)
      .where("manifest_child.manifest_id", "in", some);
    found.push(...(await own.unionAll(listed).execute()));
  }
  return found;
}

/** Increases the security revisions of the given images: cached decisions about them become invalid. */
export async function raiseSecurityRevisions(db: RegistryDb, ids: readonly string[]): Promise<void> {
  for (const some of inChunks(ids)) {
    await db
      .updateTable("image_manifest")
      .set(({ eb }) => ({ security_revision: eb("security_revision", "+", 1) }))
      .where("id", "in", some)
      .execute();
  }
}

/** The ids of the images with the given digests, and of the images that an index among them lists. */
export async function listSubjects(
  db: RegistryDb,
  { repositoryId, subjects }: { readonly repositoryId: string; readonly subjects: readonly string[] },
): Promise<readonly string[]> {
  const named = db
    .selectFrom("image_manifest")
    .select("id")
    .where("repository_id", "=", repositoryId)
    .where("digest", "in", subjects);
  const children = db.selectFrom("manifest_child").select("child_id as id").where("manifest_id", "in", named);
  return (await named.union(children).execute()).map(({ id }) => id);
}

/** The digests that a deleted or restored manifest may be a document about: its subject, and itself if it is an index. */
export async function listSubjectsOfManifest(db: RegistryDb, manifestId: string): Promise<readonly string[]> {
  const manifest = await db
    .selectFrom("image_manifest")
    .select(["digest", "subject", "is_index"])
    .where("id", "=", manifestId)
    .executeTakeFirst();
  if (manifest === undefined) return [];
  const { digest, subject, is_index } = manifest;
  return [...(subject === null ? [] : [subject]), ...(is_index === 1 ? [digest] : [])];
}
