import { describe, expect, it } from "vitest";
import { createEngine } from "../create-engine.ts";
import { allEcosystems } from "../ecosystems/all.ts";
import { advisorySourceOf } from "../match/advisory-source-of.ts";
import { sampleAdvisory } from "../match/fixtures/samples.ts";
import { matchReport } from "../match/match-report.ts";
import { parseDigest } from "../model/digest.ts";
import { purlReport } from "./purl-report.ts";
import { readSbom } from "./read-sbom.ts";
import { sbomReport } from "./sbom-report.ts";

const digest = parseDigest(`sha256:${"0".repeat(64)}`);
const engine = createEngine({ ecosystems: allEcosystems });
const advisories = advisorySourceOf([
  sampleAdvisory("debian:12", "zlib", { packageKind: "SOURCE", name: "CVE-2024-0001", ranges: [{ fixed: "1:1.3-1" }] }),
]);

const zlib = "pkg:deb/debian/zlib1g@1:1.2.13-1?arch=amd64&distro=debian-12&upstream=zlib";

describe("purlReport", () => {
  it("makes a report that is matched like the report of an image", async () => {
    const report = purlReport([zlib, "pkg:npm/lodash@4.17.20"], digest);
    const { vulnerabilities, feeds } = await matchReport(engine, report, { advisories });

    expect(Object.values(report.packages).map(({ name, version }) => `${name} ${version}`)).toEqual([
      "lodash 4.17.20",
      "zlib1g 1:1.2.13-1",
    ]);
    expect(report.coverage).toMatchObject({ status: "complete", unassessed: [] });
    expect(Object.values(vulnerabilities).map(({ name, fixedInVersion }) => [name, fixedInVersion])).toEqual([
      ["CVE-2024-0001", "1:1.3-1"],
    ]);
    expect(feeds.map(({ ecosystem, covered }) => [ecosystem, covered])).toEqual([
      ["debian:12", true],
      ["npm", false],
    ]);
  });

  it("keeps the capital letters of names that differ by them", () => {
    const report = purlReport(["pkg:npm/JSONStream@1.0.0", "pkg:golang/github.com/Azure/x@v1.0.0"], digest);

    expect(Object.values(report.packages).map(({ name }) => name)).toEqual(["JSONStream", "github.com/Azure/x"]);
  });

  it.each([
    ["github.com/masterminds/sprig", "v2.22.0%2Bincompatible", ["CVE-2024-0002"]],
    ["github.com/Masterminds/sprig", "v2.22.0%2Bincompatible", ["CVE-2024-0002"]],
    ["github.com/MASTERMINDS/sprig", "v2.22.0%2Bincompatible", []], // not the name of a package URL, nor the module's
    ["github.com/masterminds/sprig", "v3.0.0", []],
    ["github.com/masterminds/semver", "v1.0.0", ["CVE-2024-0003"]],
    ["github.com/masterminds/squirrel", "v1.0.0", []],
  ])(
    "finds advisories of the module %s at %s, which package URLs write in lower case: %j",
    async (name, version, ids) => {
      const about = (module: string, name: string) =>
        sampleAdvisory("Go", module, { name, ranges: [{ fixed: "3.0.0" }] });
      const source = advisorySourceOf([
        about("github.com/Masterminds/sprig", "CVE-2024-0002"),
        about("github.com/masterminds/semver", "CVE-2024-0003"),
      ]);
      const report = purlReport([`pkg:golang/${name}@${version}`], digest);

      const { vulnerabilities, coverage } = await matchReport(engine, report, { advisories: source });

      expect(Object.values(vulnerabilities).map((each) => each.name)).toEqual(ids);
      expect(coverage).toMatchObject({ status: "complete" });
      expect(coverage.undecided).toBeUndefined();
    },
  );

  it.each([
    ["3.2.2-6.el9_5?arch=x86_64&distro=almalinux-9.5&epoch=0", undefined],
    ["0:3.2.2-6.el9_5?distro=almalinux-9.5", undefined],
    ["3.2.2-6.el9_5?distro=almalinux-9.5", ["epoch"]],
    ["5.1.8?distro=almalinux-9.5&epoch=0", undefined],
  ])("reads the epoch of openssl-libs@%s", async (rest, facts) => {
    const report = purlReport([`pkg:rpm/almalinux/openssl-libs@${rest}`], digest);
    const fixed = sampleAdvisory("almalinux:9", "openssl-libs", { ranges: [{ fixed: "1:3.2.2-6.el9_5.1" }] });

    const { coverage } = await matchReport(engine, report, { advisories: advisorySourceOf([fixed]) });

    expect(coverage.undecided?.map(({ fact }) => fact)).toEqual(facts);
  });

  it("lists what no advisory can be about as undecided, and leaves out keys of rpm", async () => {
    const key = "pkg:rpm/fedora/gpg-pubkey@3135ce90-5e6fda74?distro=fedora-40";
    const swift = "pkg:swift/swift-nio@2.29.0?a=b"; // its type demands a namespace
    const report = purlReport(["pkg:github/actions/checkout@v4", "pkg:nothing/x", swift, key], digest);

    const { coverage, packages } = await matchReport(engine, report, { advisories: advisorySourceOf([]) });

    expect(Object.values(packages).map(({ name, version }) => `${name} ${version}`)).toEqual([
      "actions/checkout v4",
      "swift-nio 2.29.0",
      "x ",
    ]);
    expect(coverage).toMatchObject({
      status: "partial",
      undecided: [{ fact: "ecosystem", packageIds: ["1", "2", "3"] }],
    });
  });

  it.each([
    ["pkg:npm/lodash", "expected a version to judge by"],
    ["lodash@4", "package URL"],
  ])("refuses %s", (purl, message) => {
    expect(() => purlReport([purl], digest)).toThrow(message);
  });
});

describe("sbomReport", () => {
  it("lists the packages where they were found, and packages without known advisories are undecided", async () => {
    const document = {
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      components: [
        {
          type: "library",
          name: "zlib1g",
          version: "1:1.2.13-1",
          purl: zlib,
          publisher: "Mark Brown <broonie@debian.org>",
        },
        { type: "library", name: "thing", version: "1" },
      ],
    };
    const sbom = readSbom(new TextEncoder().encode(JSON.stringify(document)), "app.cdx.json");
    const report = sbomReport(sbom, { name: "app.cdx.json", digest });
    const { environments, distributions } = report;
    const { coverage, packages } = await matchReport(engine, report, { advisories });

    expect(
      Object.values(environments)
        .flat()
        .map(({ packageDb }) => packageDb),
    ).toEqual(["app.cdx.json", "app.cdx.json"]);
    expect(Object.values(distributions)).toMatchObject([{ did: "debian", versionId: "12" }]);
    expect(report.coverage.status).toBe("complete");
    expect(coverage).toMatchObject({ status: "partial", unassessed: [], undecided: [{ fact: "ecosystem" }] });
    expect(coverage.undecided?.[0]?.packageIds.map((id) => packages[id]?.name)).toEqual(["thing"]);
  });
});

describe("licences and dependencies of documents", () => {
  const [a, b] = ["pkg:npm/a@1", "pkg:npm/b@1"];
  const spdxPackage = (id: string, purl: string, license: object) => ({
    ...{ SPDXID: id, name: id, versionInfo: "1", ...license },
    externalRefs: [{ referenceType: "purl", referenceLocator: purl }],
  });
  const syft = (id: string, purl: string, licenses: readonly unknown[]) => ({
    id,
    name: id,
    version: "1",
    purl,
    licenses,
  });

  it.each<[string, object]>([
    [
      "CycloneDX, of which the declared ones count",
      {
        ...{ bomFormat: "CycloneDX", specVersion: "1.6" },
        components: [
          {
            ...{ "bom-ref": "a", type: "library", name: "a", version: "1", purl: a },
            licenses: [
              { license: { id: "MIT", acknowledgement: "declared" } },
              { license: { id: "ISC", acknowledgement: "concluded" } },
            ],
          },
          { "bom-ref": "b", type: "library", name: "b", version: "1", purl: b, licenses: [{ expression: "0BSD" }] },
        ],
        dependencies: [{ ref: "a", dependsOn: ["b", "gone"] }],
      },
    ],
    [
      "SPDX, where nothing is declared those that are concluded",
      {
        ...{ spdxVersion: "SPDX-2.3", name: "x" },
        packages: [
          spdxPackage("a", a, { licenseDeclared: "MIT", licenseConcluded: "ISC" }),
          spdxPackage("b", b, { licenseDeclared: "NOASSERTION", licenseConcluded: "0BSD" }),
        ],
        relationships: [{ spdxElementId: "b", relationshipType: "DEPENDENCY_OF", relatedSpdxElement: "a" }],
      },
    ],
    [
      "Syft",
      {
        artifacts: [syft("a", a, [{ value: "The MIT", spdxExpression: "MIT" }]), syft("b", b, ["0BSD"])],
        artifactRelationships: [{ parent: "b", child: "a", type: "dependency-of" }],
        schema: {},
      },
    ],
  ])("are those of %s", (_, document) => {
    const sbom = readSbom(new TextEncoder().encode(JSON.stringify(document)), "bom");
    const { packages, details = {}, dependencies = {} } = sbomReport(sbom, { name: "bom", digest });

    expect(Object.values(packages).map(({ id }) => details[id]?.licenses?.map(({ text }) => text))).toEqual([
      ["MIT"],
      ["0BSD"],
    ]);
    const [first, second] = Object.keys(packages);
    expect(dependencies[first ?? ""]?.packageIds).toEqual([second]);
    expect(dependencies[second ?? ""]).toBeUndefined();
  });

  const cycloneDx = (dependencies: readonly object[], more: object = {}) => ({
    ...{ bomFormat: "CycloneDX", specVersion: "1.6", serialNumber: "urn:uuid:1", ...more, dependencies },
    components: ["a", "b", "c"].map((name) => ({
      ...{ "bom-ref": name, type: "library", name, version: "1", purl: `pkg:npm/${name}@1` },
    })),
  });
  const spdx = (...relationships: readonly (readonly [string, string, string])[]) => ({
    ...{ spdxVersion: "SPDX-2.3", name: "x", SPDXID: "SPDXRef-DOCUMENT" },
    packages: ["a", "b", "c"].map((name) => spdxPackage(name, `pkg:npm/${name}@1`, {})),
    relationships: relationships.map(([spdxElementId, relationshipType, relatedSpdxElement]) => ({
      ...{ spdxElementId, relationshipType, relatedSpdxElement },
    })),
  });
  const more = " !more, which is not listed";

  it.each<[string, object, readonly string[]]>([
    [
      "two entries of one component",
      cycloneDx([
        { ref: "a", dependsOn: ["b"] },
        { ref: "a", dependsOn: ["c", "b"] },
        { ref: "b", dependsOn: [] },
      ]),
      ["a: b c", "b:"],
    ],
    ["a reference that no component has", cycloneDx([{ ref: "a", dependsOn: ["b", "gone"] }]), [`a: b${more}`]],
    [
      "links to entries of the document",
      cycloneDx([
        { ref: "a", dependsOn: ["urn:cdx:1/1#c"] },
        { ref: "c", dependsOn: ["urn:cdx:2/1#d"] },
      ]),
      ["a: c", `c:${more}`],
    ],
    [
      "entries that are no packages",
      cycloneDx([{ ref: "a", dependsOn: ["s", "app"] }], {
        services: [{ "bom-ref": "s", name: "s" }],
        metadata: { component: { "bom-ref": "app", type: "application", name: "app" } },
      }),
      ["a:"],
    ],
    ...["", "BUILD_", "DEV_", "OPTIONAL_", "PROVIDED_", "RUNTIME_", "TEST_"].map(
      (kind) =>
        [
          `${kind}DEPENDENCY_OF`,
          spdx(["b", `${kind}DEPENDENCY_OF`, "a"], ["c", `${kind}DEPENDENCY_OF`, "b"]),
          ["a: b ?", "b: c ?"],
        ] as [string, object, readonly string[]],
    ),
    [
      "other types of SPDX",
      spdx(["b", "PREREQUISITE_FOR", "a"], ["a", "HAS_PREREQUISITE", "c"], ["c", "DEPENDS_ON", "NONE"]),
      ["a: b c ?", "c:"],
    ],
    [
      "types of SPDX that are no needs",
      spdx(["b", "DEPENDENCY_MANIFEST_OF", "a"], ["a", "CONTAINS", "c"], ["c", "DEPENDS_ON", "NOASSERTION"]),
      [],
    ],
    [
      "elements that the document does not have",
      spdx(["a", "DEPENDS_ON", "DocumentRef-x:SPDXRef-y"], ["gone", "DEPENDENCY_OF", "b"], ["a", "DEPENDS_ON", "b"]),
      [`a: b ?${more}`, `b:${more}`],
    ],
  ])("merge and complete %s", (_, document, expected) => {
    const sbom = readSbom(new TextEncoder().encode(JSON.stringify(document)), "bom");
    const { packages, dependencies = {} } = sbomReport(sbom, { name: "bom", digest });
    const written = Object.entries(dependencies).map(([id, { packageIds, unmet = [], isPartial }]) => {
      const words = [...packageIds.map((each) => packages[each]?.name), ...(isPartial ? ["?"] : [])];
      return [`${packages[id]?.name}:`, ...words, ...unmet.map((need) => `!${need}`)].join(" ");
    });

    expect(written.sort()).toEqual(expected);
  });
});
