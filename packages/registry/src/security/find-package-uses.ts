import { type PackageUse, packageUses } from "@plimsoll/core/internal";
import { readImageStart } from "../content/image-config.ts";
import { contentOf, type ImageManifestRow } from "../content/queries/manifest-content.ts";
import { RegistryError } from "../errors.ts";
import { BlobStoreError } from "../ports/blob-store.ts";
import { findImageInventory, type SecurityDeps } from "./image-security.ts";

/** A package of an image's report. */
interface NamedPackage {
  /** In the report of the scanner. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
}

/** Says what is known of the use of a package in the layers of an image: nothing of one that the scanner did not find there. */
export type FindPackageUse = (found: NamedPackage) => PackageUse;

/** What is known of the use of the packages of an image. If its inventory cannot be had, nothing is: findings come without it. */
export async function findPackageUses(
  deps: SecurityDeps,
  manifest: ImageManifestRow,
  signal: AbortSignal,
): Promise<FindPackageUse> {
  const found = await ifThere(findImageInventory(deps, manifest, signal));
  if (found?.status !== "scanned") return () => ({});
  const { packages } = found.index;
  const useOf = packageUses(found.index, await ifThere(startOf(deps, manifest)));
  return ({ id, name, version }) => {
    const known = packages[id]; // another one, if the image was indexed again meanwhile
    return known?.name === name && known.version === version ? useOf(id) : {};
  };
}

async function startOf({ db, blobs }: SecurityDeps, manifest: ImageManifestRow) {
  return readImageStart(blobs, { is_index: manifest.is_index, content: await contentOf(db, manifest) });
}

/** Undefined while the scanner or the blob store does not respond. */
async function ifThere<Found>(asked: Promise<Found>): Promise<Found | undefined> {
  try {
    return await asked;
  } catch (error) {
    const isAway = error instanceof RegistryError && error.code === "downstream_issue";
    if (isAway || error instanceof BlobStoreError) return undefined;
    throw error;
  }
}
