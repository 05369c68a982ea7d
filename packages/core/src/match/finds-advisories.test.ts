import { describe, expect, it } from "vitest";
import { createEngine } from "../create-engine.ts";
import { allEcosystems } from "../ecosystems/all.ts";
import { parseDigest } from "../model/digest.ts";
import { readSbom } from "../sbom/read-sbom.ts";
import { sbomReport } from "../sbom/sbom-report.ts";
import { findsAdvisories } from "./finds-advisories.ts";
import { indexRecords } from "./index-records.ts";

const { matchers } = createEngine({ ecosystems: allEcosystems });
const digest = parseDigest(`sha256:${"0".repeat(64)}`);

describe("findsAdvisories", () => {
  it.each([
    ["a package of a language", "pkg:npm/lodash@4.17.20", true],
    ["a package of a distribution with its source", "pkg:deb/debian/zlib1g@1?distro=debian-12&upstream=zlib", true],
    ["a package whose source is not stated", "pkg:deb/debian/libcurl4@7?distro=debian-12", false],
    ["a package without a release", "pkg:deb/debian/zlib1g@1?upstream=zlib", false],
    ["an archive without a group", "pkg:maven/jackson-mapper-asl@1", false],
    ["a repository without its host", "pkg:swift/apple/swift-nio@2.40.0", false],
    ["a repository with its host", "pkg:swift/github.com/apple/swift-nio@2.40.0", true],
    ["an entry without a package URL", undefined, false],
  ])("of %s, %s: %s", (_, purl, expected) => {
    const components = [{ type: "library", name: "a", version: "1", purl }];
    const sbom = readSbom(new TextEncoder().encode(JSON.stringify({ bomFormat: "CycloneDX", components })), "bom");

    const records = indexRecords(sbomReport(sbom, { name: "bom", digest }));

    expect(records.map((record) => findsAdvisories(matchers, record))).toEqual([expected]);
  });
});
