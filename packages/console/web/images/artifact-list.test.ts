import { describe, expect, it } from "vitest";
import { kindOfArtifact } from "./artifact-list.tsx";

describe("kindOfArtifact", () => {
  it.each([
    ["application/vnd.dev.cosign.artifact.sig.v1+json", "signature"],
    ["application/vnd.cncf.notary.signature", "signature"],
    ["application/vnd.dev.cosign.simplesigning.v1+json", "signature"],
    ["application/vnd.in-toto+json", "attestation"],
    ["application/vnd.dev.sigstore.bundle.v0.3+json", "attestation"],
    ["application/vnd.cyclonedx+json", "sbom"],
    ["application/spdx+json", "sbom"],
    ["application/vnd.openvex+json", "vex"],
    ["application/vnd.example.data", "other"],
    [null, "other"],
  ])("%s: %s", (type, kind) => {
    expect(kindOfArtifact(type)).toBe(kind);
  });
});
