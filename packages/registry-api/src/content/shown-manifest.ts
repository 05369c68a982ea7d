import { notFound } from "../errors.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { findShownManifest, type ImageManifestRow, type ManifestIn } from "./queries/image-manifests.ts";

/** The image manifest that a repository shows under a digest. @throws RegistryError `not_found` */
export async function getShownManifest(
  db: RegistryDb,
  manifest: ManifestIn & { readonly now: number },
): Promise<ImageManifestRow> {
  const row = await findShownManifest(db, manifest);
  if (row === undefined) throw notFound();
  return row;
}
