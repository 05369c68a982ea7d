import type { ImageManifestRow } from "../../content/queries/image-manifests.ts";
import type { RegistryDb } from "../../store/tables/all.ts";

/** A blob of a repository. */
export interface BlobIn {
  readonly repositoryId: string;
  readonly digest: string;
}

/** A manifest that has a blob. */
export type ManifestWith = Pick<ImageManifestRow, "id" | "digest" | "kind" | "size_bytes" | "security_revision">;

/**
 * The manifests of a repository that have a blob and are images, or may be, without their contents. The newest come first; deleted ones are
 * included until they are collected.
 */
export function listImagesWith(db: RegistryDb, blob: BlobIn, limit: number): Promise<readonly ManifestWith[]> {
  return manifestsWith(db, blob)
    .select(["image_manifest.id", "image_manifest.digest", "image_manifest.kind"])
    .select(["image_manifest.size_bytes", "image_manifest.security_revision"])
    .where("image_manifest.is_index", "=", 0)
    .where((where) => where.or([where("image_manifest.kind", "is", null), where("image_manifest.kind", "=", "image")]))
    .orderBy("image_manifest.created_at", "desc")
    .limit(limit)
    .execute();
}

/** Whether an artifact or an index of a repository has a blob. */
export async function hasArtifactWith(db: RegistryDb, blob: BlobIn): Promise<boolean> {
  const found = await manifestsWith(db, blob)
    .select("image_manifest.id")
    .where((where) =>
      where.or([where("image_manifest.is_index", "=", 1), where("image_manifest.kind", "=", "artifact")]),
    )
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

function manifestsWith(db: RegistryDb, { repositoryId, digest }: BlobIn) {
  return db
    .selectFrom("manifest_blob")
    .innerJoin("image_manifest", "image_manifest.id", "manifest_blob.manifest_id")
    .where("manifest_blob.digest", "=", digest)
    .where("image_manifest.repository_id", "=", repositoryId);
}

/** The row of a manifest; undefined if it was collected meanwhile. */
export function findManifestRow(db: RegistryDb, id: string): Promise<ImageManifestRow | undefined> {
  return db.selectFrom("image_manifest").selectAll().where("id", "=", id).executeTakeFirst();
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
