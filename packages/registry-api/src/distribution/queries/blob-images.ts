import { cooperativeYield } from "@plimsoll/store";
import type { ImageManifestRow } from "../../content/queries/image-manifests.ts";
import type { RegistryDb } from "../../store/tables/all.ts";

/** A blob of a repository. */
export interface BlobIn {
  readonly repositoryId: string;
  readonly digest: string;
}

/** How many manifests are read at a time. */
const pageLength = 20;

/** The images and artifacts of a repository that have a blob, the newest first, including deleted ones until they are collected. */
export async function* readManifestsWith(db: RegistryDb, blob: BlobIn): AsyncIterable<ImageManifestRow> {
  const giveWay = cooperativeYield();
  const ids = await listIdsWith(db, blob);
  for (let at = 0; at < ids.length; at += pageLength) {
    const some = ids.slice(at, at + pageLength);
    const rows = await db.selectFrom("image_manifest").selectAll().where("id", "in", some).execute();
    for (const id of some) {
      const row = rows.find((each) => each.id === id);
      if (row !== undefined) yield row;
      await giveWay();
    }
  }
}

async function listIdsWith(db: RegistryDb, { repositoryId, digest }: BlobIn): Promise<readonly string[]> {
  const rows = await db
    .selectFrom("manifest_blob")
    .innerJoin("image_manifest", "image_manifest.id", "manifest_blob.manifest_id")
    .select("image_manifest.id")
    .where("manifest_blob.digest", "=", digest)
    .where("image_manifest.repository_id", "=", repositoryId)
    .orderBy("image_manifest.created_at", "desc")
    .execute();
  return rows.map(({ id }) => id);
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
