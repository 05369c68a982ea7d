import { Buffer } from "node:buffer";
import type { IndexReport } from "@plimsoll/core";
import type { StatedSbomPackage } from "@plimsoll/core/internal";
import { toVulnerabilityReportJson, type VulnerabilityReportJson } from "@plimsoll/core/report";
import { findImageRepository } from "@plimsoll/registry/access/queries";
import { findStoredManifest } from "@plimsoll/registry/content/queries/manifest-content";
import { basicScanner, type ImageScanner } from "@plimsoll/registry/ports/scanning";
import { engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openTestDistribution, type TestDistribution } from "../fixtures/test-distribution.ts";
import { testReport, vulnerabilityReport, wholeCoverage } from "../fixtures/test-reports.ts";
import { findingPage, readFindings } from "./finding-page.ts";
import { attachDocument } from "./fixtures/attach-document.ts";
import { findImageSecurity } from "./shown-security.ts";

const name = "alice/images";
const now = Date.UTC(2026, 10, 25);
const cycloneDx = "application/vnd.cyclonedx+json";
const spdx = "application/spdx+json";

const nothingSeen = toVulnerabilityReportJson({
  ...testReport,
  ...{ packages: {}, environments: {}, packageVulnerabilities: {}, vulnerabilities: {} },
});

const components = [
  { type: "library", name: "left-pad", version: "1.3.0", purl: "pkg:npm/left-pad@1.3.0" },
  { type: "library", name: "github.com/x/y", version: "v1.2.3", purl: "pkg:golang/github.com/x/y@v1.2.3" },
  { type: "file", name: "a file" },
];
const bom = JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", components });
const spdxDocument = JSON.stringify({
  ...{ spdxVersion: "SPDX-2.3", SPDXID: "SPDXRef-DOCUMENT", name: "image" },
  packages: [
    {
      ...{ SPDXID: "SPDXRef-1", name: "serde", versionInfo: "1.0.0" },
      externalRefs: [
        {
          ...{ referenceCategory: "PACKAGE-MANAGER", referenceType: "purl" },
          referenceLocator: "pkg:cargo/serde@1.0.0",
        },
      ],
    },
  ],
});

type Matches = (stated: StatedSbomPackage) => boolean;

/** A scanner that knows nothing of documents. */
const matchesNone: Matches = () => false;

/** As a scanner has them that matches what is stated: each with one vulnerability. */
function withPackages(report: VulnerabilityReportJson, stated: readonly StatedSbomPackage[]): VulnerabilityReportJson {
  const byId = <Value>(value: (id: string, each: StatedSbomPackage) => Value) =>
    Object.fromEntries(stated.map((each, index) => [`${100 + index}`, value(`${100 + index}`, each)]));
  const [vulnerability] = Object.values(vulnerabilityReport.vulnerabilities);
  if (vulnerability === undefined) throw new Error("the report has a vulnerability");
  return {
    ...report,
    packages: {
      ...report.packages,
      ...byId((id, { package: { name, version, kind } }) => ({
        id,
        name,
        version,
        kind: kind === "BINARY" ? "binary" : "source",
      })),
    } as VulnerabilityReportJson["packages"],
    environments: {
      ...report.environments,
      ...byId((_, { document }) => [
        { package_db: "bom", introduced_in: document, distribution_id: "", repository_ids: [] },
      ]),
    },
    vulnerabilities: {
      ...report.vulnerabilities,
      ...byId((id) => ({ ...vulnerability, id, name: `CVE-${id}`, normalized_severity: "High" as const })),
    },
    package_vulnerabilities: { ...report.package_vulnerabilities, ...byId((id) => [id]) },
  };
}

/** The inventory of an image that starts one of its packages, which needs another. */
const startingIndex: IndexReport = {
  manifestDigest: testReport.manifestDigest,
  ...{ state: "IndexFinished", success: true },
  ...{ packages: testReport.packages, distributions: {}, repositories: {}, environments: testReport.environments },
  dependencies: { "7": { packageIds: ["2"] } },
  details: { "7": { provides: ["/usr/bin/serve"] } },
  coverage: wholeCoverage,
};

async function securityOf(
  { store, blobs }: TestDistribution,
  digest: string,
  {
    report = vulnerabilityReport,
    matches = matchesNone,
  }: { readonly report?: typeof vulnerabilityReport; readonly matches?: typeof matchesNone } = {},
) {
  const scanner: ImageScanner = {
    ...basicScanner,
    state: async () => "one",
    index: async () => {},
    find: async (_, { stated = [] } = {}) => ({
      status: "scanned",
      ...{ report: withPackages(report, stated.filter(matches)), coverage: wholeCoverage },
      unmatched: matches === matchesNone ? undefined : stated.filter((each) => !matches(each)),
    }),
    inventory: async () => ({ status: "scanned", index: startingIndex }),
  };
  const repository = await findImageRepository(store.db, "alice", "images");
  const manifest = await findStoredManifest(store.db, { repositoryId: repository?.id ?? "", digest });
  if (manifest === undefined) throw new Error("the image is not there");
  const context = { db: store.db, blobs, imageScanner: scanner, now };
  const { signal } = new AbortController();
  const { status, data } = await findImageSecurity(context, manifest, signal);
  const { Features = [], Problems = [] } = data?.Layer ?? {};
  const uses = async () => {
    const page = await findingPage(await readFindings(context, manifest, signal), { list: "packages" });
    const all = page.data?.packages ?? [];
    return all.map(({ package: { Name }, needed_by, reached }) => ({ package: Name, needed_by, reached }));
  };
  return { status, uses, stated: Features.filter(({ Sbom }) => Sbom !== undefined), count: Features.length, Problems };
}

describe.each(testEngines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "attached SBOMs on $title",
  ({ engine }) => {
    const test = (title: string, run: (world: TestDistribution, digest: string) => Promise<void>) =>
      it.skipIf(engine.skip !== undefined)(title, async () => {
        await using world = await openTestDistribution({ engine });
        const { digest } = await world.pushImage(name, "1");
        await run(world, digest);
      });

    test("add packages with their findings, and say where they are from", async (world, digest) => {
      const Sbom = await attachDocument(world, name, { document: bom, mediaType: cycloneDx, subject: digest });

      const { stated, count, Problems } = await securityOf(world, digest, {
        report: vulnerabilityReport,
        matches: () => true,
      });

      expect(stated).toMatchObject([
        {
          Name: "left-pad",
          Version: "1.3.0",
          Sbom,
          AddedBy: "",
          Vulnerabilities: [{ Name: "CVE-100", Severity: "High" }],
        },
        { Name: "github.com/x/y", Sbom, AddedBy: "", Vulnerabilities: [{ Name: "CVE-101" }] },
      ]);
      expect(count).toBe(5);
      expect(Problems).toEqual([]);
    });

    test("add packages without findings where the scanner cannot match them, and say so", async (world, digest) => {
      const Sbom = await attachDocument(world, name, { document: bom, mediaType: cycloneDx, subject: digest });
      const isNpm: Matches = ({ purl }) => purl?.startsWith("pkg:npm/") === true;

      const { stated, Problems } = await securityOf(world, digest, { report: vulnerabilityReport, matches: isNpm });

      expect(stated).toMatchObject([
        { Name: "left-pad" },
        {
          ...{ Name: "github.com/x/y", Version: expect.stringContaining("1.2.3"), Sbom },
          ...{ Purl: "pkg:golang/github.com/x/y@v1.2.3", AddedBy: "", VersionFormat: "", NamespaceName: "" },
        },
      ]);
      expect(stated[1]).not.toHaveProperty("Vulnerabilities");
      expect(Problems).toEqual([
        { At: digest, Code: "attached_sbom", Message: expect.stringContaining("not matched with advisories") },
      ]);
    });

    test("say nothing of what needs their packages, nor whether anything reaches them", async (world) => {
      const { digest } = await world.pushImage(name, "2", { command: ["serve"] });
      await attachDocument(world, name, { document: bom, mediaType: cycloneDx, subject: digest });
      const isNpm: Matches = ({ purl }) => purl?.startsWith("pkg:npm/") === true;

      const { uses } = await securityOf(world, digest, { report: vulnerabilityReport, matches: isNpm });

      expect(await uses()).toEqual([
        { package: "bash" },
        { package: "github.com/x/y" },
        { package: "left-pad" },
        { package: "libssl3", needed_by: [{ name: "bash", version: "5.2.15-2+b2" }] },
        { package: "semver", reached: "no evidence" },
      ]);
    });

    test("are all that is known of an image whose layers give nothing", async (world, digest) => {
      await attachDocument(world, name, { document: spdxDocument, mediaType: spdx, subject: digest });
      await attachDocument(world, name, {
        document: bom,
        mediaType: cycloneDx,
        tag: `${digest.replace(":", "-")}.sbom`,
      });

      const { status, stated } = await securityOf(world, digest, { report: nothingSeen });

      expect(status).toBe("scanned");
      expect(stated.map(({ Purl }) => Purl).sort()).toEqual([
        ...["pkg:cargo/serde@1.0.0", "pkg:golang/github.com/x/y@v1.2.3", "pkg:npm/left-pad@1.3.0"],
      ]);
    });

    test("are read from attestations that say that they are one", async (world, digest) => {
      const dsse = "application/vnd.dsse.envelope.v1+json";
      const attest = (predicateType: string) => {
        const statement = { _type: "https://in-toto.io/Statement/v1", predicateType, predicate: JSON.parse(bom) };
        return JSON.stringify({ payload: Buffer.from(JSON.stringify(statement)).toString("base64") });
      };
      const other = attest("https://slsa.dev/provenance/v1");
      await attachDocument(world, name, { document: other, mediaType: dsse, subject: digest });
      expect((await securityOf(world, digest)).stated).toEqual([]);

      const document = attest("https://cyclonedx.org/bom");
      await attachDocument(world, name, { document, mediaType: dsse, subject: digest });
      expect((await securityOf(world, digest)).stated).toHaveLength(2);
    });

    test("are read in XML and as tags and values, with programs that only a CPE name identifies", async (world, digest) => {
      const cpe = "cpe:2.3:a:openssl:openssl:3.0.0:*:*:*:*:*:*:*";
      const xml = `<bom xmlns="http://cyclonedx.org/schema/bom/1.5"><components>
        <component type="application"><name>openssl</name><version>3.0.0</version><cpe>${cpe}</cpe></component></components></bom>`;
      const tags = `SPDXVersion: SPDX-2.3\nPackageName: zlib\nExternalRef: SECURITY cpe23Type ${cpe}\nPackageName: a part\n`;

      for (const [document, mediaType] of [
        [xml, "application/vnd.cyclonedx+xml"],
        [tags, "text/spdx"],
      ] as const) {
        await attachDocument(world, name, { document, mediaType, subject: digest });
      }

      const { stated, Problems } = await securityOf(world, digest, { matches: () => true });

      expect(stated.map(({ Name }) => Name).sort()).toEqual(["openssl", "zlib"]);
      expect(Problems).toEqual([]);
    });

    test("that call themselves incomplete are problems", async (world, digest) => {
      const incomplete = JSON.stringify({ ...JSON.parse(bom), compositions: [{ aggregate: "incomplete" }] });
      const At = await attachDocument(world, name, { document: incomplete, mediaType: cycloneDx, subject: digest });

      const { stated, Problems } = await securityOf(world, digest, { matches: () => true });

      expect(stated).toHaveLength(2);
      expect(Problems).toEqual([{ At, Code: "attached_sbom", Message: "the document says that it is incomplete." }]);
    });

    test("that cannot be read are problems, and the image is what its layers say", async (world, digest) => {
      const document = await attachDocument(world, name, { document: "{}", mediaType: spdx, subject: digest });

      const { status, stated, Problems } = await securityOf(world, digest);

      expect([status, stated]).toEqual(["scanned", []]);
      expect(Problems).toMatchObject([{ At: document, Code: "attached_sbom" }]);
    });
  },
);
