import { compileOnce, type Parameter } from "@plimsoll/store";
import type { RegistryDb } from "../../store/tables/all.ts";

/** The digest of an image index that lists a manifest. */
export async function findIndexOf(db: RegistryDb, manifestId: string): Promise<string | undefined> {
  const index = await db
    .selectFrom("manifest_child")
    .innerJoin("image_manifest", "image_manifest.id", "manifest_child.manifest_id")
    .select("image_manifest.digest")
    .where("manifest_child.child_id", "=", manifestId)
    .where("image_manifest.deleted_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return index?.digest;
}

/** The id of a manifest that is not deleted. */
export function findManifestId(db: RegistryDb, repositoryId: string, digest: string) {
  return db
    .selectFrom("image_manifest")
    .select("id")
    .where("repository_id", "=", repositoryId)
    .where("digest", "=", digest)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
}

/** Marks a manifest as deleted. */
export async function markDeleted(db: RegistryDb, id: string, now: number): Promise<void> {
  await db.updateTable("image_manifest").set({ deleted_at: now }).where("id", "=", id).execute();
}

/** Whether content of a manifest, or of one that it lists, is damaged. */
export async function hasDamagedBlob(db: RegistryDb, manifestId: string): Promise<boolean> {
  return (await findDamaged(db, { manifestId })).length > 0;
}

/** Begins with the damaged blobs, of which there are seldom any: each `HEAD` of a manifest asks. */
const findDamaged = compileOnce((db: RegistryDb, parameter: Parameter<{ manifestId: string }>) => {
  const manifestId = parameter("manifestId");
  const children = db.selectFrom("manifest_child").select("child_id").where("manifest_id", "=", manifestId);
  return db
    .selectFrom("blob")
    .select("blob.digest")
    .where("blob.damaged_at", "is not", null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("manifest_blob")
          .select("manifest_blob.digest")
          .whereRef("manifest_blob.digest", "=", "blob.digest")
          .where(({ or, eb }) => or([eb("manifest_id", "=", manifestId), eb("manifest_id", "in", children)])),
      ),
    )
    .limit(1);
});
