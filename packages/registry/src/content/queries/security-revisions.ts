import { inChunks } from "../../store/bounded-reads.ts";
import type { RegistryDb } from "../../store/tables/all.ts";

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
