/**
 * Whether a tag stands for the signature, attestation or bill of materials of an image (`sha256-<hex>.sig`), as cosign puts them: it
 * ends with that image.
 */
export function isReferrerTag(name: string): boolean {
  return /^sha256-[0-9a-f]{64}\.(?:sig|att|sbom)$/.test(name);
}

/** Whether a tag stands for the list of what refers to an image (`sha256-<hex>`), where a registry does not list it. */
export function isReferrersTag(name: string): boolean {
  return /^sha256-[0-9a-f]{64}$/.test(name);
}

/** The image whose attestation or bill of materials stands under a tag: by digest. */
export function subjectOfTag(name: string): string | undefined {
  const [, hex] = /^sha256-([0-9a-f]{64})\.(?:att|sbom)$/.exec(name) ?? [];
  return hex === undefined ? undefined : `sha256:${hex}`;
}

/** What cosign puts under a tag beside an image, as the tag ends: its signature, its attestation, its bill of materials. */
export const referrerKinds = ["sig", "att", "sbom"] as const;

/** One of {@link referrerKinds}. */
export type ReferrerKind = (typeof referrerKinds)[number];

/** The tags under which cosign puts what belongs to an image. */
export function referrerTagsOf(digest: string, kinds: readonly ReferrerKind[] = referrerKinds): readonly string[] {
  const name = digest.replace(":", "-");
  return kinds.map((kind) => `${name}.${kind}`);
}
