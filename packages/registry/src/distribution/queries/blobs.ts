import type { ImageRepository } from "../../access/queries/image-repositories.ts";
import type { LinkedBlob } from "../../content/queries/blobs.ts";
import type { RegistryDb } from "../../store/tables/all.ts";

/** Renews the link of a blob to a repository. @returns false if the repository no longer has the blob */
export async function renewBlobLink(
  db: RegistryDb,
  { repository, blob, now }: { readonly repository: ImageRepository; readonly blob: LinkedBlob; readonly now: number },
): Promise<boolean> {
  const renewed = await db
    .updateTable("repository_blob")
    .set({ linked_at: now })
    .where("repository_id", "=", repository.id)
    .where("digest", "=", blob.digest)
    .returning("digest")
    .executeTakeFirst();
  return renewed !== undefined;
}

/** Whether a repository has a blob whose content is damaged. */
export async function isDamagedHere(db: RegistryDb, repositoryId: string, digest: string): Promise<boolean> {
  const row = await db
    .selectFrom("repository_blob")
    .innerJoin("blob", "blob.digest", "repository_blob.digest")
    .select("blob.digest")
    .where("repository_blob.repository_id", "=", repositoryId)
    .where("repository_blob.digest", "=", digest)
    .where("blob.damaged_at", "is not", null)
    .executeTakeFirst();
  return row !== undefined;
}
