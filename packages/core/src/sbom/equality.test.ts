import { beforeAll, describe, expect, it } from "vitest";
import { engineWith, indexLayers } from "../ecosystems/language/fixtures/index-layers.ts";
import { advisorySourceOf } from "../match/advisory-source-of.ts";
import { matchReport } from "../match/match-report.ts";
import { parseDigest } from "../model/digest.ts";
import type { IndexReport } from "../model/index-report.ts";
import { sampleAdvisories, sampleImages } from "./fixtures/sample-images.ts";
import { toolDocuments } from "./fixtures/tool-documents.ts";
import { readSbom } from "./read-sbom.ts";
import { sbomReport } from "./sbom-report.ts";

type ImageName = keyof typeof sampleImages;
type ToolName = keyof typeof toolDocuments;

const engine = engineWith();
const advisories = advisorySourceOf(sampleAdvisories);
const digest = parseDigest(`sha256:${"0".repeat(64)}`);

interface Scan {
  /** `package version: vulnerability` */
  readonly findings: readonly string[];
  /** `package: fact` */
  readonly lacks: readonly string[];
}

async function scan(index: IndexReport): Promise<Scan> {
  const { packages, packageVulnerabilities, vulnerabilities, coverage } = await matchReport(engine, index, {
    advisories,
  });
  const findings = Object.entries(packageVulnerabilities).flatMap(([id, found]) =>
    found.map((each) => `${packages[id]?.name} ${packages[id]?.version}: ${vulnerabilities[each]?.name}`),
  );
  const lacks = (coverage.undecided ?? []).flatMap(({ fact, packageIds }) =>
    packageIds.map((id) => `${packages[id]?.name}: ${fact}`),
  );
  return { findings: findings.sort(), lacks: lacks.sort() };
}

function scanDocument(tool: ToolName, image: ImageName): Promise<Scan> {
  const sbom = readSbom(new TextEncoder().encode(toolDocuments[tool](sampleImages[image])), tool);
  return scan(sbomReport(sbom, { name: tool, digest }));
}

const ofApplication = ["lodash 4.17.20: CVE-9", "org.apache.logging.log4j:log4j-core 2.14.1: CVE-10"];

const nothing: readonly string[] = [];
const sixOwner = ["six: owner"];
/** Of documents that do not say where packages are. */
const ownersOfApplication = ["lodash: owner", "org.apache.logging.log4j:log4j-core: owner"];

const makersOfDebian = ["git: maker", "libssl3: maker", "python3-six: maker"];
const makersOfAlmaLinux = ["openssl-libs: maker", "postgresql: maker"];
const ofScalibr = {
  debian: [...makersOfDebian, ...sixOwner],
  alpine: nothing,
  almalinux: [...makersOfAlmaLinux, "postgresql: module"],
  application: nothing,
};

const ofOtherSystems = ["libssl3", "musl", "openssl-libs", "postgresql"].map((name) => `${name}: ecosystem`);

/** What the documents lack, by tool and form. An image that a tool does not list packages of is left out. */
const lacks: Readonly<Record<ToolName, Partial<Readonly<Record<ImageName, readonly string[]>>>>> = {
  "Syft's own form": {
    debian: nothing,
    ...{ alpine: nothing, almalinux: nothing, application: nothing, mixed: ofOtherSystems },
  },
  "Syft, CycloneDX": { debian: sixOwner, alpine: nothing, almalinux: nothing, application: nothing },
  "Syft, CycloneDX in XML": { debian: sixOwner, alpine: nothing, almalinux: nothing, application: nothing },
  "Syft, SPDX": {
    debian: nothing,
    ...{ alpine: nothing, almalinux: nothing, application: nothing, mixed: ofOtherSystems },
  },
  "Syft, SPDX as tags": { debian: nothing, alpine: nothing, almalinux: nothing, application: nothing },
  "Trivy, CycloneDX": {
    debian: nothing,
    ...{ alpine: nothing, almalinux: nothing, application: nothing, mixed: ofOtherSystems },
  },
  "Trivy, SPDX": { debian: nothing, alpine: nothing, almalinux: nothing, application: nothing },
  "Trivy, SPDX as tags": { debian: nothing, alpine: nothing, almalinux: nothing },
  "OSV-SCALIBR, SPDX": ofScalibr,
  "OSV-SCALIBR, SPDX 3": ofScalibr,
  "OSV-SCALIBR, CycloneDX": ofScalibr,
  cdxgen: {
    debian: [...makersOfDebian, ...sixOwner],
    ...{ alpine: nothing, almalinux: makersOfAlmaLinux, application: nothing },
  },
  "Docker Scout": {
    debian: [...makersOfDebian, "libssl3: source", ...ownersOfApplication, "python3-six: source", ...sixOwner],
    alpine: ["libssl3: source", "musl: source"],
    ...{ almalinux: [...makersOfAlmaLinux, "postgresql: module"], application: nothing },
  },
  "Red Hat": { almalinux: makersOfAlmaLinux },
  apko: { alpine: ["libssl3: source", "musl: source"] },
  "Microsoft's sbom-tool": {
    debian: ["git: release", "libssl3: release", ...ownersOfApplication, "python3-six: release", ...sixOwner],
    alpine: ["libssl3: release", "musl: release"],
    ...{ almalinux: ["openssl-libs: release", "postgresql: release"], application: nothing },
  },
  GitHub: { application: nothing },
};

const rows = Object.entries(lacks).flatMap(([tool, images]) =>
  Object.entries(images).map(([image, facts]) => [tool as ToolName, image as ImageName, facts] as const),
);

describe("scanning a document of another tool", () => {
  const scans = new Map<ImageName, Scan>();
  beforeAll(async () => {
    for (const name of Object.keys(sampleImages) as readonly ImageName[])
      scans.set(name, await scan(await indexLayers([sampleImages[name].layer], engine)));
  });

  it("has images to compare with, which lack nothing but the distribution of packages of other systems", () => {
    expect(Object.fromEntries(scans)).toEqual({
      debian: { findings: ["libssl3 3.0.11-1~deb12u2+b1: CVE-1", ...ofApplication], lacks: [] },
      alpine: { findings: ["libssl3 3.5.0-r0: CVE-4"], lacks: [] },
      almalinux: {
        findings: ["openssl-libs 1:1.1.1k-12.el8: CVE-6", "postgresql 9.6.10-1.module_el8.5.0+826: CVE-7"],
        lacks: [],
      },
      application: { findings: ofApplication, lacks: [] },
      mixed: { findings: ["libssl3 3.0.11-1~deb12u2+b1: CVE-1", ...ofApplication], lacks: ofOtherSystems },
    });
  });

  it.each(rows)(
    "%s, %s: gives what scanning the image gives, or names what the document lacks",
    async (tool, image, facts) => {
      const { findings, lacks: named } = await scanDocument(tool, image);

      expect(named).toEqual(facts.toSorted());
      const ofOthers = (finding: string) => !facts.some((fact) => finding.startsWith(`${fact.split(":")[0]} `));
      expect(findings.filter(ofOthers)).toEqual(scans.get(image)?.findings.filter(ofOthers));
    },
  );
});
