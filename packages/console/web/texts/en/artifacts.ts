/** Artifacts that refer to an image. */
export const artifacts = {
  title: "Artifacts",
  kind: "Kind",
  kinds: {
    signature: "Signature",
    attestation: "Attestation",
    sbom: "Bill of materials",
    vex: "VEX document",
    other: "Artifact",
  },
  type: "Type",
  digest: "Digest",
  pushed: "Pushed",
  none: "No artifact refers to this image: no signature, no bill of materials.",
};
