import { isDigest } from "@plimsoll/core/digest";
import { notFound } from "../errors.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { findStoredManifest, findTaggedManifest, type ImageManifestRow } from "./queries/manifest-content.ts";

/** An image of a repository, as a client names it. */
export interface ManifestReference {
  readonly repositoryId: string;
  /** The digest of the manifest, or a tag. */
  readonly reference: string;
  readonly now: number;
}

/**
 * The manifest that a digest or a living tag names. By its digest, a manifest is found even if it was deleted and is not collected yet.
 * @throws RegistryError `not_found`
 */
export async function getReferencedManifest(
  db: RegistryDb,
  { repositoryId, reference, now }: ManifestReference,
): Promise<ImageManifestRow> {
  const manifest = isDigest(reference)
    ? await findStoredManifest(db, { repositoryId, digest: reference })
    : await findTaggedManifest(db, { repositoryId, name: reference, now });
  if (manifest === undefined) throw noManifest(reference);
  return manifest;
}

/** The error for a reference that names no manifest of the repository. @param reference a digest or a tag */
export function noManifest(reference: string) {
  const kind = isDigest(reference) ? "manifest" : "tag";
  return notFound(`The repository has no ${kind} ${JSON.stringify(reference)}: list its tags to see what it has`);
}
