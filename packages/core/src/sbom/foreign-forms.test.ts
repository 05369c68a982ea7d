import { describe, expect, it } from "vitest";
import type { JsonObject } from "../model/json-object.ts";
import { foreignForm } from "./foreign-forms.ts";
import { readSbom } from "./read-sbom.ts";

const read = (document: unknown) => readSbom(new TextEncoder().encode(JSON.stringify(document)), "doc");

const grype = { matches: [], source: { type: "image" }, distro: {}, descriptor: { name: "grype" } };
const platforms = { "linux/amd64": { SPDX: {} }, "linux/arm64": { SPDX: {} } };
const snapshot = { version: 0, sha: "a", job: {}, detector: {}, scanned: "", manifests: {} };

describe("foreignForm", () => {
  it.each([
    [snapshot, "a dependency snapshot of GitHub: give what GitHub exports as the SBOM"],
    [
      { SchemaVersion: 2, ArtifactName: "a", Results: [] },
      "a report of Trivy: write an SBOM with trivy --format cyclonedx",
    ],
    [{ ClusterName: "a", Resources: [] }, "a report of Trivy"],
    [grype, "a report of Grype: write an SBOM of the same image with syft"],
    [platforms, "the SBOMs of several platforms: write that of one"],
    [
      { manifest_hash: "sha256:aa", packages: {}, environments: {} },
      "a report of Plimsoll: write an SBOM with plimsoll sbom -o cyclonedx",
    ],
    [{ results: [], experimental_config: {} }, "a report of OSV-Scanner: scan the image"],
    [{ version: "15.0.4", scan: {}, vulnerabilities: [] }, "a report of GitLab"],
    [{ reportSchema: "1.1", scanInfo: {}, dependencies: [] }, "a report of OWASP Dependency-Check"],
    [{ auditReportVersion: 2, vulnerabilities: {} }, "a report of npm audit: write an SBOM with npm sbom"],
    [{ repository: {}, analyzer: {} }, "a result of the OSS Review Toolkit"],
    [{ version: "2.1.0", runs: [] }, "SARIF"],
    [{ "@context": "https://openvex.dev/ns/v0.2.0", statements: [] }, "OpenVEX: give it with --vex"],
    [{ document: { csaf_version: "2.0" } }, "CSAF: give it with --vex"],
    [{ id: "a", modified: "", affected: [] }, "an advisory of OSV"],
    [{ name: "app", lockfileVersion: 3 }, "a lock file of npm: scan its folder: dir:FOLDER"],
    [{ "content-hash": "a", packages: [] }, "a lock file of Composer"],
    [{ _meta: {}, default: {} }, "a lock file of Pipenv"],
    [{ schemaVersion: 2, config: {}, layers: [] }, "a manifest of an image: scan the image"],
    [{ schemaVersion: 2, manifests: [] }, "a manifest of an image"],
  ])("names what %j is, and what to give instead", (document, found) => {
    expect(() => read(document)).toThrow(`doc: expected CycloneDX, SPDX or Syft, found ${found}`);
    expect(() => read(document)).toThrow(expect.objectContaining({ code: "malformed_sbom" }));
  });

  it("does not name anything else", () => {
    const others: readonly JsonObject[] = [{}, { packages: [] }, { version: 1 }];

    expect(others.map(foreignForm)).toEqual([undefined, undefined, undefined]);
  });
});
