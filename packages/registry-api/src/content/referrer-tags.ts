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

/** The tags under which cosign puts the signature, the attestation and the bill of materials of an image. */
export function referrerTagsOf(digest: string): readonly string[] {
  const name = digest.replace(":", "-");
  return ["sig", "att", "sbom"].map((kind) => `${name}.${kind}`);
}
