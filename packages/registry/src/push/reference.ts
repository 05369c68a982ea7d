import { type Digest, isDigest, parseDigest } from "@plimsoll/core/digest";
import { findStoredManifest, findTaggedManifest, type ImageManifestRow } from "../content/queries/manifest-content.ts";
import { ContentError } from "../content-error.ts";
import type { RegistryDb } from "../store/tables/all.ts";
import { isTagName } from "../values/names.ts";

/** A tag, or the digest of a manifest. */
export type Reference =
  | { readonly kind: "tag"; readonly name: string }
  | { readonly kind: "digest"; readonly digest: Digest };

/**
 * Parses the reference to a manifest in a path; undefined for a text that is neither a tag nor a digest.
 * @throws ContentError `digest_invalid`
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#pulling-manifests
 */
export function parseReference(text: string): Reference | undefined {
  if (isTagName(text)) return { kind: "tag", name: text };
  if (isDigest(text)) return { kind: "digest", digest: parseDigest(text) };
  if (text.includes(":")) throw new ContentError("digest_invalid", "the digest is malformed or not supported");
  return undefined;
}

/** Finds the manifest that clients see under a reference; undefined if there is none, or it was deleted. */
export async function findReferenced(
  db: RegistryDb,
  at: { readonly repositoryId: string; readonly reference: Reference; readonly now: number },
): Promise<ImageManifestRow | undefined> {
  const { repositoryId, reference, now } = at;
  if (reference.kind === "tag") return findTaggedManifest(db, { repositoryId, name: reference.name, now });
  const stored = await findStoredManifest(db, { repositoryId, digest: reference.digest });
  return stored === undefined || stored.deleted_at !== null ? undefined : stored;
}
