import { type Digest, isDigest, parseDigest } from "@plimsoll/core";
import { isTagName } from "../rules/names.ts";
import { DistributionError } from "./distribution-error.ts";

/** A tag, or the digest of a manifest. */
export type Reference =
  | { readonly kind: "tag"; readonly name: string }
  | { readonly kind: "digest"; readonly digest: Digest };

/**
 * What a path names a manifest by; undefined for what can be neither, so that nothing is there.
 * @throws DistributionError `DIGEST_INVALID`
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#pulling-manifests
 */
export function parseReference(text: string): Reference | undefined {
  if (isTagName(text)) return { kind: "tag", name: text };
  if (isDigest(text)) return { kind: "digest", digest: parseDigest(text) };
  if (text.includes(":")) throw new DistributionError("DIGEST_INVALID", "the digest is malformed or not supported");
  return undefined;
}
