import { notFound } from "../errors.ts";
import { findShownManifest, type ImageManifestRow, type ManifestIn } from "../store/image-manifests.ts";
import type { RegistryDb } from "../store/tables/all.ts";

/** The image manifest that a repository shows under a digest. @throws RegistryError `not_found` */
export async function getShownManifest(
  db: RegistryDb,
  manifest: ManifestIn & { readonly now: number },
): Promise<ImageManifestRow> {
  const row = await findShownManifest(db, manifest);
  if (row === undefined) throw notFound();
  return row;
}
