import { inChunks } from "../../store/bounded-reads.ts";
import type { RegistryDb } from "../../store/tables/all.ts";

/** The digests of some indexes that list a manifest. */
export async function listIndexesOf(db: RegistryDb, manifestId: string, limit: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("manifest_child")
    .innerJoin("image_manifest", "image_manifest.id", "manifest_child.manifest_id")
    .select("image_manifest.digest")
    .where("manifest_child.child_id", "=", manifestId)
    .where("image_manifest.deleted_at", "is", null)
    .orderBy("image_manifest.digest")
    .limit(limit)
    .execute();
  return rows.map(({ digest }) => digest);
}

/** A query for attached artifacts. */
export interface WantedArtifacts {
  readonly repositoryId: string;
  /** The digests to which they refer. */
  readonly subjects: readonly string[];
  /** The tags by which clients attach them instead of a subject. */
  readonly tags: readonly string[];
  readonly now: number;
  readonly limit: number;
}

/** Some artifacts that are attached to images, by their subject or by a tag. */
export async function listAttached(
  db: RegistryDb,
  { repositoryId, subjects, tags, now, limit }: WantedArtifacts,
): Promise<readonly { readonly digest: string; readonly content: string }[]> {
  const tagged = db
    .selectFrom("tag")
    .select("tag.manifest_id")
    .where("tag.repository_id", "=", repositoryId)
    .where("tag.name", "in", tags)
    .where(({ or, eb }) => or([eb("tag.end_at", "is", null), eb("tag.end_at", ">", now)]));
  return db
    .selectFrom("image_manifest")
    .select(["digest", "content"])
    .where("repository_id", "=", repositoryId)
    .where("deleted_at", "is", null)
    .where("is_index", "=", 0)
    .where(({ or, eb }) => or([eb("subject", "in", subjects), eb("id", "in", tagged)]))
    .orderBy("digest")
    .limit(limit)
    .execute();
}

/** Makes images due for counting. Those that were never counted are due anyway. */
export async function countImagesAgain(db: RegistryDb, manifestIds: readonly string[]): Promise<void> {
  for (const some of inChunks(manifestIds)) {
    await db.updateTable("finding_count").set({ due_at: 0 }).where("manifest_id", "in", some).execute();
  }
}
