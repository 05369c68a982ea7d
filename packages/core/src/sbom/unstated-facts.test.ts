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
  sampleAdvisory("debian:12", "curl", { packageKind: "SOURCE", ranges: [{ fixed: "9" }] }),
  sampleAdvisory("almalinux:9", "openssl-libs", { ranges: [{ fixed: "1:3.2.2-6" }] }),
  sampleAdvisory("PyPI", "six"),
  sampleAdvisory("crates.io", "tokio"),
  sampleAdvisory("Maven", "log4j:log4j", { ranges: [{ fixed: "1.2.18" }] }),
  sampleAdvisory("Maven", "com.h2database:h2", { ranges: [{ fixed: "2.0.0" }] }),
  sampleAdvisory("npm", "lodash", { ranges: [{ fixed: "4.17.21" }] }),
  sampleAdvisory("Go", "example.com/app", { ranges: [{ introduced: "1.0.0", fixed: "1.2.0" }] }),
]);

const libcurl = "pkg:deb/debian/libcurl4@7.88.1-10?distro=debian-12";
const openssl = "pkg:rpm/almalinux/openssl-libs@3.2.2-6?distro=almalinux-9";

const ownGroup = "pkg:maven/mapper/mapper@1.9.13";
const h2 = "pkg:maven/h2/h2@1.4.200";
const lodash = "pkg:npm/lodash@4.17.20";
const tokio = "pkg:cargo/tokio@1.0.0";
const untagged = "pkg:golang/example.com/app@v0.0.0-20240102030405-abcdef123456";
const app = "example.com/app";
const zlib = "pkg:deb/debian/zlib1g@1?distro=debian-12&upstream=zlib";

async function undecidedIn(report: ReturnType<typeof purlReport>): Promise<readonly string[]> {
  const { coverage, packages } = await matchReport(engine, report, { advisories });
  return (coverage.undecided ?? []).flatMap(({ fact, packageIds }) =>
    packageIds.map((id) => `${packages[id]?.name}: ${fact}`),
  );
}

/** The distributions themselves have made their packages. */
const makers = [
  ["pkg:deb/", "Debian QA Group <packages@qa.debian.org>"],
  ["pkg:rpm/", "AlmaLinux"],
] as const;
const publisherOf = (purl: string) => makers.find(([type]) => purl.startsWith(type))?.[1];

function bomOf(
  tools: unknown,
  purls: readonly string[],
  publisher: (purl: string) => string | undefined = publisherOf,
) {
  const components = purls.map((purl) => ({ type: "library", name: "any", purl, publisher: publisher(purl) }));
  const bom = { bomFormat: "CycloneDX", specVersion: "1.6", metadata: { tools }, components };
  return sbomReport(readSbom(Buffer.from(JSON.stringify(bom)), "bom"), { name: "bom", digest });
}

describe("facts that a document does not state", () => {
  it.each<[title: string, tools: unknown, purls: readonly string[], undecided: readonly string[]]>([
    ["no source in a document of an unknown tool", [], [libcurl], ["libcurl4: source"]],
    ["another package's source", [], [libcurl, "pkg:deb/debian/zlib1g@1?distro=debian-12&upstream=zlib"], []],
    [
      "the source of a package of another type",
      [],
      [libcurl, "pkg:apk/alpine/a@1?distro=alpine-3.20&upstream=b"],
      ["a: release", "libcurl4: source"],
    ],
    ["a name that the feed has as a source", [], ["pkg:deb/debian/curl@7.88.1-10?distro=debian-12"], []],
    ["a tool that states every source", [{ vendor: "anchore", name: "syft" }], [libcurl], []],
    ["a tool in the form of CycloneDX 1.5", { components: [{ type: "application", name: "syft" }] }, [libcurl], []],
    [
      "no source in a document of Trivy, which writes it with each package",
      [{ name: "trivy" }],
      [libcurl],
      ["libcurl4: source"],
    ],
    [
      "no source, where a name only contains that of a tool",
      [{ name: "my-syft-wrapper" }],
      [libcurl],
      ["libcurl4: source"],
    ],
    ["no source in a document of Syft by its whole name", [{ name: "anchore/syft" }], [libcurl], []],
    [
      "no source where one of two tools states it",
      [{ name: "syft" }, { name: "apko" }],
      [libcurl],
      ["libcurl4: source"],
    ],
    [
      "no source where a tool beside it is not known",
      { components: [{ name: "syft" }], services: [{ name: "merger" }] },
      [libcurl, zlib],
      ["libcurl4: source"],
    ],
    ["no source where two tools are not known", [{ name: "a" }, { name: "b" }], [libcurl, zlib], ["libcurl4: source"]],
    ["no source where both tools state it", [{ name: "syft" }, { name: "plimsoll" }], [libcurl], []],
    ["no source where the other tool only wraps", [{ name: "syft" }, { name: "buildkit-v0.15.0" }], [libcurl], []],
    ["no epoch, where the advisory has one", [], [openssl], ["openssl-libs: epoch"]],
    ["another package's epoch", [], [openssl, "pkg:rpm/almalinux/bind@9-1?distro=almalinux-9&epoch=32"], []],
    [
      "another package's epoch that is none",
      [],
      [openssl, "pkg:rpm/almalinux/bind@9-1?distro=almalinux-9&epoch=0"],
      [],
    ],
    ["no epoch in a document of a tool that states it", [{ name: "syft" }], [openssl], []],
    ["no source in a document of OSV-SCALIBR, which states it", [{ name: "SCALIBR" }], [libcurl], []],
    ["a group of Syft that is the archive's own name", [{ name: "syft" }], [ownGroup], ["mapper:mapper: group"]],
    [
      "a group of Syft that is an organization",
      [{ name: "syft" }],
      ["pkg:maven/com.sun/mapper@1.9.13"],
      ["com.sun:mapper: group"],
    ],
    ["such a group that advisories name", [{ name: "syft" }], ["pkg:maven/log4j/log4j@1.2.18"], []],
    [
      "such a group where one of two tools guesses it",
      [{ name: "trivy" }, { name: "syft" }],
      [ownGroup],
      ["mapper:mapper: group"],
    ],
    [
      "the owner where one of two tools leaves out owned packages",
      [{ name: "trivy" }, { name: "cdxgen" }],
      [lodash, `${openssl}&epoch=1`],
      ["lodash: owner"],
    ],
    ...["grype", "Grype-0.90.0", "anchorectl", "docker-sbom", "docker sbom"].map(
      (name): [string, unknown, readonly string[], readonly string[]] => [
        `such a group of ${name}, which has Syft's package URLs`,
        [{ name }],
        [ownGroup, h2],
        ["h2:h2: group", "mapper:mapper: group"],
      ],
    ),
    ["such a group of another tool", [{ name: "trivy" }], [ownGroup], []],
    ...["trivy", "cdxgen", "CycloneDX Maven plugin", "cyclonedx-gradle-plugin", "Microsoft.SBOMTool"].map(
      (name): [string, unknown, readonly string[], readonly string[]] => [
        `such a group of ${name}, which does not guess it`,
        [{ name }],
        [h2],
        [],
      ],
    ),
    ...[[], [{ name: "dependency-track" }], [{ name: "docker scout" }], [{ name: "trivy" }, { name: "a" }]].map(
      (tools): [string, unknown, readonly string[], readonly string[]] => [
        `such a group, where advisories have another for the artifact, of ${JSON.stringify(tools)}`,
        tools,
        [h2, ownGroup, "pkg:maven/log4j/log4j@1.2.18", "pkg:maven/h2/h2@2.0.0"],
        ["h2:h2: group"],
      ],
    ),
    ["a group that is an organization", [], ["pkg:maven/com.sun/h2@1"], ["com.sun:h2: group"]],
    ["another group", [], ["pkg:maven/com.acme/h2@1"], []],
    ["a Go module without a host", [], ["pkg:golang/mux@v1.8.0", "pkg:golang/a/b@v1"], ["a/b: group", "mux: group"]],
    [
      "Go itself",
      [],
      ["pkg:golang/go@1.20", "pkg:golang/stdlib@1.20", "pkg:golang/std@1.20", "pkg:golang/toolchain@1"],
      [],
    ],
    ["a Go module of a tool that reads programs", [{ name: "trivy" }, { name: "syft" }], ["pkg:golang/mux@v1.8.0"], []],
    ["a placeholder", [{ name: "trivy" }], ["pkg:maven/null/h2@1", "pkg:maven/unknown/x@1"], ["h2: group", "x: group"]],
    ["a placeholder for a vendor", [{ name: "trivy" }], ["pkg:composer/unknown/yaml@7"], ["yaml: group"]],
    ["no source in a document of apko", [{ name: "apko" }], [libcurl], ["libcurl4: source"]],
    ["packages of languages", [], ["pkg:npm/lodash@4.17.20"], []],
    ["the owner of a package that its advisories affect", [], [lodash, zlib], ["lodash: owner"]],
    ["the owner of a package that no advisory affects", [], ["pkg:npm/lodash@4.17.21", zlib], []],
    ["the owner where the tool leaves out owned packages", [{ name: "trivy" }], [lodash, openssl], []],
    ["the owner where it knows not all files of packages", [{ name: "trivy" }], [lodash, zlib], ["lodash: owner"]],
    ["the owner of a list of packages", [{ name: "trivy" }], [tokio, openssl], ["tokio: owner"]],
    [
      "which Go module is the main one, of a commit without a tag",
      [{ name: "trivy" }],
      [untagged],
      [`${app}: version`],
    ],
    ["which Go module is the main one, of changed files", [], [`${untagged}%2Bdirty`], [`${app}: version`]],
    ["which Go module is the main one, where the tool states it", [{ name: "syft" }], [untagged], []],
    ["which Go module is the main one, of a commit after a tag", [], [untagged.replace("0-", "1-0.")], []],
  ])("leave undecided what depends on them: %s", async (_, tools, purls, undecided) => {
    expect(await undecidedIn(bomOf(tools, purls))).toEqual(undecided);
  });

  it.each<[title: string, tools: unknown, purls: readonly string[], publisher: string, undecided: readonly string[]]>([
    ["in a document of an unknown tool", [], [zlib, openssl], "", ["openssl-libs: maker", "zlib1g: maker"]],
    ["in a document that has no assertion", [], [zlib], "NOASSERTION", ["zlib1g: maker"]],
    ["in a document of OSV-SCALIBR, which does not state it", [{ name: "SCALIBR" }], [zlib], "", ["zlib1g: maker"]],
    ["in a document of a tool that states it", [{ name: "syft" }], [zlib, openssl], "", []],
    [
      "of packages of languages and of Alpine",
      [],
      ["pkg:npm/a@1", "pkg:apk/alpine/b@1?distro=alpine-3.20&upstream=b"],
      "",
      [],
    ],
  ])("leave undecided who made a package of a distribution: %s", async (_, tools, purls, publisher, undecided) => {
    const found = await undecidedIn(bomOf(tools, purls, () => publisher));

    expect(found.filter((each) => each.endsWith("maker"))).toEqual(undecided);
  });

  it("leave undecided a Go module without a host that is named alone", async () => {
    const purls = ["pkg:golang/mux@v1.8.0", "pkg:golang/go@1.20", "pkg:golang/example.com/app@v1.3.0"];
    expect(await undecidedIn(purlReport(purls, digest))).toEqual(["mux: group"]);
  });

  it.each([
    ["usr/lib/python3/dist-packages/six", ["six: owner"]],
    ["usr/local/lib/python3/site-packages/six", []],
    ["opt/app/six", []],
  ])("leave the owner of %s undecided, where the distribution may have put it", async (location, undecided) => {
    const components = [
      { type: "library", name: "six", purl: "pkg:pypi/six@1", evidence: { occurrences: [{ location }] } },
      { type: "library", name: "zlib1g", purl: zlib, publisher: publisherOf(zlib) },
    ];
    const bom = JSON.stringify({ bomFormat: "CycloneDX", components });
    const report = sbomReport(readSbom(Buffer.from(bom), "bom"), { name: "bom", digest });

    expect(await undecidedIn(report)).toEqual(undecided);
  });

  it("leave undecided a Go module in the SPDX of Syft, which does not state which is the main one", async () => {
    const externalRefs = [{ referenceType: "purl", referenceLocator: untagged }];
    const creationInfo = { creators: ["Tool: syft-1.18.1"] };
    const document = { spdxVersion: "SPDX-2.3", creationInfo, packages: [{ SPDXID: "a", name: app, externalRefs }] };
    const report = sbomReport(readSbom(Buffer.from(JSON.stringify(document)), "sbom"), { name: "sbom", digest });

    expect(await undecidedIn(report)).toEqual([`${app}: version`]);
  });

  it("leave undecided what depends on them in a list of package URLs", async () => {
    expect(await undecidedIn(purlReport([libcurl], digest))).toEqual(["libcurl4: source"]);
    expect(await undecidedIn(purlReport([`${libcurl}&upstream=curl`, lodash], digest))).toEqual([]);
    expect(await undecidedIn(purlReport([untagged], digest))).toEqual([`${app}: version`]);
  });

  it.each([
    ["Debian packages, whose files Syft knows by md5sums alone", zlib, ["lodash: owner"]],
    ["rpms, whose files their database lists", openssl, []],
  ])("leave the owner undecided in SPDX and JSON of Syft, or not, beside %s", async (_, system, undecided) => {
    const purls = [lodash, system];
    const references = (purl: string) => [{ referenceType: "purl", referenceLocator: purl }];
    const spdx = {
      ...{ spdxVersion: "SPDX-2.3", creationInfo: { creators: ["Tool: syft-1.18.1"] } },
      packages: purls.map((purl) => ({ name: "any", supplier: "Organization: x", externalRefs: references(purl) })),
    };
    const own = { schema: {}, artifacts: purls.map((purl) => ({ name: "any", purl, metadata: { vendor: "x" } })) };
    const undecidedOf = (document: object) =>
      undecidedIn(sbomReport(readSbom(Buffer.from(JSON.stringify(document)), "bom"), { name: "bom", digest }));

    expect(await Promise.all([spdx, own].map(undecidedOf))).toEqual([undecided, undecided]);
  });
});
