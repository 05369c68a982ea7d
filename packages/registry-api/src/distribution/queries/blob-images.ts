import type { ImageManifestRow } from "../../content/queries/image-manifests.ts";
import type { RegistryDb } from "../../store/tables/all.ts";

/** A blob of a repository. */
export interface BlobIn {
  readonly repositoryId: string;
  readonly digest: string;
}

/** The images and artifacts of a repository that have a blob, the newest first, including deleted ones until they are collected. */
export async function listManifestsWith(
  db: RegistryDb,
  { repositoryId, digest }: BlobIn,
): Promise<readonly ImageManifestRow[]> {
  return db
    .selectFrom("manifest_blob")
    .innerJoin("image_manifest", "image_manifest.id", "manifest_blob.manifest_id")
    .selectAll("image_manifest")
    .where("manifest_blob.digest", "=", digest)
    .where("image_manifest.repository_id", "=", repositoryId)
    .orderBy("image_manifest.created_at", "desc")
    .execute();
}

/** The digests of the images that are being copied into a repository and need a blob. */
export async function listArrivingWith(db: RegistryDb, { repositoryId, digest }: BlobIn): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("proxied_blob")
    .select("manifest_digest")
    .where("repository_id", "=", repositoryId)
    .where("digest", "=", digest)
    .execute();
  return rows.map(({ manifest_digest }) => manifest_digest);
}
