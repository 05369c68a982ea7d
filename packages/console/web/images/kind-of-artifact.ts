/** The kind of an artifact, in common terms. */
export type ArtifactKind = "signature" | "attestation" | "sbom" | "vex" | "other";

/** Patterns in artifact types and the kinds that they mean; the first match decides. */
const patterns: readonly (readonly [kind: ArtifactKind, text: RegExp])[] = [
  ["vex", /openvex|\bvex\b|csaf/],
  ["sbom", /cyclonedx|spdx|syft|sbom/],
  ["attestation", /in-toto|attestation|dsse|sigstore\.bundle/],
  ["signature", /simplesigning|cosign\.artifact\.sig|notary|signature/],
];

/** The kind of an artifact with a media or artifact type. */
export function kindOfArtifact(type: string | null): ArtifactKind {
  const text = (type ?? "").toLowerCase();
  return patterns.find(([, pattern]) => pattern.test(text))?.[0] ?? "other";
}
