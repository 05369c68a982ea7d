/**
 * Whether a tag is that of a signature, attestation or bill of materials of an image (`sha256-<hex>.sig`), as cosign names them. Such a
 * tag ends with its image.
 */
export function isReferrerTag(name: string): boolean {
  return /^sha256-[0-9a-f]{64}\.(?:sig|att|sbom)$/.test(name);
}

/** Whether a tag is that of an image's list of referrers (`sha256-<hex>`), for registries without the referrers API. */
export function isReferrersTag(name: string): boolean {
  return /^sha256-[0-9a-f]{64}$/.test(name);
}

/** The digest of the image to which the tag of an attestation or a bill of materials belongs; undefined for other tags. */
export function subjectOfTag(name: string): string | undefined {
  const [, hex] = /^sha256-([0-9a-f]{64})\.(?:att|sbom)$/.exec(name) ?? [];
  return hex === undefined ? undefined : `sha256:${hex}`;
}

/** The endings of cosign's tags for an image's signature, attestation and bill of materials. */
export const referrerKinds = ["sig", "att", "sbom"] as const;

/** One of {@link referrerKinds}. */
export type ReferrerKind = (typeof referrerKinds)[number];

/**
 * The tag of an image's list of referrers, for registries without the referrers API.
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#referrers-tag-schema
 */
export function referrersTagOf(digest: string): string {
  return digest.replace(":", "-").slice(0, 128);
}

/** The tags that cosign uses for the attached artifacts of an image. */
export function referrerTagsOf(digest: string, kinds: readonly ReferrerKind[] = referrerKinds): readonly string[] {
  const name = digest.replace(":", "-");
  return kinds.map((kind) => `${name}.${kind}`);
}
