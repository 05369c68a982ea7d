/** What people call an artifact. */
export type ArtifactKind = "signature" | "attestation" | "sbom" | "vex" | "other";

/** Texts in the types of artifacts, by what they say of one; the first that occurs decides. */
const signs: readonly (readonly [kind: ArtifactKind, text: RegExp])[] = [
  ["vex", /openvex|\bvex\b|csaf/],
  ["sbom", /cyclonedx|spdx|syft|sbom/],
  ["attestation", /in-toto|attestation|dsse|sigstore\.bundle/],
  ["signature", /simplesigning|cosign\.artifact\.sig|notary|signature/],
];

/** What an artifact is, by its type. */
export function kindOfArtifact(type: string | null): ArtifactKind {
  const text = (type ?? "").toLowerCase();
  return signs.find(([, sign]) => sign.test(text))?.[0] ?? "other";
}
