import { describe, expect, it } from "vitest";
import { parseDigest } from "../model/digest.ts";
import { readSbom } from "./read-sbom.ts";
import { sbomReport } from "./sbom-report.ts";

const digest = parseDigest(`sha256:${"0".repeat(64)}`);

function coverageOf(document: string) {
  const sbom = readSbom(new TextEncoder().encode(document), "sbom");
  return sbomReport(sbom, { name: "sbom", digest }).coverage;
}

const metadata = { component: { type: "container", "bom-ref": "image", name: "x" } };
const cycloneDx = (more: object) => JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6", metadata, ...more });
const composed = (composition: object) => cycloneDx({ compositions: [composition] });
const property = (name: string, value: string) => ({ name: `plimsoll:coverage:${name}`, value });
const withProperties = (...properties: readonly object[]) => cycloneDx({ metadata: { ...metadata, properties } });
const xml = (compositions: string) =>
  `<bom xmlns="http://cyclonedx.org/schema/bom/1.6"><metadata><component type="container" bom-ref="image"><name>x</name></component></metadata>
  <dependencies><dependency ref="image"/></dependencies><compositions>${compositions}</compositions></bom>`;
const spdx3 = (...elements: readonly object[]) =>
  JSON.stringify({
    "@context": "https://spdx.org/rdf/3.0.1/spdx-context.jsonld",
    "@graph": [{ type: "SpdxDocument", spdxId: "document", name: "x", rootElement: ["bom"] }, ...elements],
  });
const bom = { type: "software_Sbom", spdxId: "bom", rootElement: ["image"] };
const related = (more: object) =>
  spdx3(bom, { type: "Relationship", spdxId: "r", from: "image", to: ["a"], relationshipType: "contains", ...more });
const composition = (inner: string) => `<composition>${inner}</composition>`;

const incomplete = [
  { at: "compositions[0]", code: "incomplete_sbom", message: "the document says that it is incomplete." },
];

describe("a document that calls itself incomplete", () => {
  it.each<[string, readonly object[], string, true | undefined]>([
    ["the needs", [{ aggregate: "incomplete", dependencies: ["image"] }], "compositions[0]", true],
    [
      "the parts, after the needs",
      ["dependencies", "assemblies"].map((name) => ({ aggregate: "incomplete", [name]: ["image"] })),
      "compositions[1]",
      undefined,
    ],
    [
      "all, after the needs",
      [{ aggregate: "incomplete", dependencies: ["image"] }, { aggregate: "incomplete" }],
      "compositions[1]",
      undefined,
    ],
  ])("tells whether that is about %s of its subject", (_, compositions, at, areNeeds) => {
    const { gaps } = readSbom(new TextEncoder().encode(cycloneDx({ compositions })), "bom");

    expect([gaps?.problems[0]?.at, gaps?.areNeeds]).toEqual([at, areNeeds]);
  });

  it.each([
    ["its subject", composed({ aggregate: "incomplete", assemblies: ["image"] })],
    ["its subject, of others", composed({ aggregate: "incomplete_third_party_only", assemblies: ["a", "image"] })],
    ["its subject, by a link", composed({ aggregate: "incomplete", assemblies: ["urn:cdx:f08a6ccd/1#image"] })],
    ["another component", composed({ aggregate: "incomplete", assemblies: ["a"] })],
    [
      "another component, in XML",
      xml(composition('<aggregate>incomplete</aggregate><assemblies><assembly ref="a"/></assemblies>')),
    ],
    ["all", composed({ aggregate: "incomplete" })],
    [
      "its subject, in XML",
      xml(composition('<aggregate>incomplete</aggregate><assemblies><assembly ref="image"/></assemblies>')),
    ],
    ["all, in XML", xml(composition("<aggregate>incomplete</aggregate>"))],
    ["what its subject depends on", composed({ aggregate: "incomplete", dependencies: ["a", "image"] })],
    [
      "what its subject depends on, beside a component",
      composed({ aggregate: "incomplete", assemblies: ["a"], dependencies: ["image"] }),
    ],
    ["what a component depends on", composed({ aggregate: "incomplete_first_party_only", dependencies: ["a"] })],
    [
      "what a component depends on, in a document without a subject",
      cycloneDx({ metadata: {}, compositions: [{ aggregate: "incomplete", dependencies: ["a"] }] }),
    ],
    [
      "what a component depends on, where another is complete",
      cycloneDx({
        compositions: [
          { aggregate: "incomplete", dependencies: ["a"] },
          { aggregate: "complete", dependencies: ["b"] },
        ],
      }),
    ],
    [
      "what its subject depends on, in XML",
      xml(composition('<aggregate>incomplete</aggregate><dependencies><dependency ref="image"/></dependencies>')),
    ],
  ])("is covered in part: %s", (_, document) => {
    expect(coverageOf(document)).toMatchObject({ status: "partial", problems: incomplete });
  });

  it.each([
    ["all", composed({ aggregate: "unknown" })],
    ["its subject", composed({ aggregate: "unknown", assemblies: ["image"] })],
    ["what its subject depends on", composed({ aggregate: "unknown", dependencies: ["image"] })],
    ["all, in XML", xml(composition("<aggregate>unknown</aggregate>"))],
  ])("is covered in part where it does not know whether it is complete: %s", (_, document) => {
    const message = "the document says that it is not known whether it is complete.";
    expect(coverageOf(document)).toMatchObject({ status: "partial", problems: [{ ...incomplete[0], message }] });
  });

  it("lacks what Syft could not read", () => {
    const files = [
      { location: { path: "/x/broken.jar" }, unknowns: ["java-archive-cataloger: unable to read", "other: broken"] },
      { location: { path: "/x/read.jar" } },
    ];
    const document = JSON.stringify({ artifacts: [], schema: {}, source: { name: "x" }, files });
    const message = "Syft could not read it: java-archive-cataloger: unable to read";

    const { status, problems } = coverageOf(document);

    expect([status, problems[0]]).toEqual(["partial", { at: "x/broken.jar", code: "incomplete_sbom", message }]);
    expect(problems.map(({ at }) => at)).toEqual(["x/broken.jar", "x/broken.jar"]);
  });

  it.each([
    ["what it contains", related({ completeness: "incomplete" })],
    [
      "what its bill of materials describes",
      related({ from: "bom", relationshipType: "describes", completeness: "incomplete" }),
    ],
  ])("is covered in part in SPDX 3: %s", (_, document) => {
    expect(coverageOf(document)).toMatchObject({ status: "partial", problems: [{ ...incomplete[0], at: "r" }] });
  });

  it("is covered in part where SPDX 2 refers to other documents", () => {
    const others = [{ externalDocumentId: "DocumentRef-base", spdxDocument: "https://example.com/base" }];
    const document = { spdxVersion: "SPDX-2.3", packages: [], externalDocumentRefs: others };

    expect(coverageOf(JSON.stringify(document))).toMatchObject({
      status: "partial",
      problems: [{ at: "DocumentRef-base", code: "incomplete_sbom" }],
    });
  });

  it("has the gaps of its annotations in SPDX 3", () => {
    const tool = { type: "Tool", name: "plimsoll-1.0.0" };
    const noted = { type: "Annotation", subject: "document", statement: "plimsoll:coverage:unassessed:npm: 1" };

    expect(coverageOf(spdx3(bom, tool, noted)).unassessed).toEqual([{ kind: "npm", count: 1, evidence: [] }]);
    expect(coverageOf(spdx3(bom, noted)).unassessed).toEqual([]);
  });

  it.each([
    ["SPDX 3, complete", related({ completeness: "complete" })],
    ["SPDX 3, not known", related({ completeness: "noAssertion" })],
    ["SPDX 3, another package", related({ from: "a", completeness: "incomplete" })],
    ["SPDX 3, what depends on what", related({ relationshipType: "dependsOn", completeness: "incomplete" })],
    ["not known, of what a component depends on", composed({ aggregate: "unknown", dependencies: ["a"] })],
    ["not specified", composed({ aggregate: "not_specified" })],
    ["complete", composed({ aggregate: "complete", assemblies: ["image"] })],
    ...["assemblies", "dependencies", "all"].map((member): [string, string] => [
      `what depends on what, since ${member} of the subject are complete`,
      cycloneDx({
        compositions: [
          { aggregate: "incomplete", dependencies: ["a"] },
          { aggregate: "complete", ...(member !== "all" && { [member]: ["image"] }) },
        ],
      }),
    ]),
    ["vulnerabilities", composed({ aggregate: "incomplete", vulnerabilities: ["v"] })],
    [
      "a document of nothing",
      JSON.stringify({ bomFormat: "CycloneDX", compositions: [{ aggregate: "incomplete", assemblies: [""] }] }),
    ],
    [
      "what depends on what, in XML",
      xml(
        composition('<aggregate>complete</aggregate><assemblies><assembly ref="image"/></assemblies>') +
          composition('<aggregate>incomplete</aggregate><dependencies><dependency ref="a"/></dependencies>'),
      ),
    ],
    ["a comment of another tool", JSON.stringify({ spdxVersion: "SPDX-2.3", comment: "Coverage: partial." })],
    ["a count that is none", withProperties(property("unassessed:npm", "many"), property("unassessed:java", "0"))],
  ])("is covered wholly by a statement about something else: %s", (_, document) => {
    expect(coverageOf(document)).toMatchObject({ status: "complete", problems: [] });
  });

  it("has the gaps of its properties, by kind and count, and its problems", () => {
    const { status, problems, unassessed } = coverageOf(
      withProperties(
        property("gap", "Not assessed: 1 npm (pieces of evidence)."),
        property("unassessed:npm", "1"),
        property("unassessed:of-later", "2"),
        property("problem:malformed_archive", "lib/a.jar: expected: a zip archive"),
      ),
    );

    expect([status, unassessed]).toEqual([
      "partial",
      [
        { kind: "npm", count: 1, evidence: [] },
        { kind: "other", count: 2, evidence: [] },
      ],
    ]);
    expect(problems).toEqual([{ at: "lib/a.jar", code: "malformed_archive", message: "expected: a zip archive" }]);
  });

  it("has at most a thousand problems, and counts the others", () => {
    const many = Array.from({ length: 1005 }, (_, n) => property("problem:malformed_archive", `${n}.jar: broken`));

    const { problems } = coverageOf(withProperties(...many));

    expect([problems.length, problems.at(-1)?.message]).toEqual([1001, "and 5 more problems that the document states"]);
  });

  const sentence = "Not assessed: 1 npm (pieces of evidence).";
  it.each([
    [
      "CycloneDX",
      "compositions[0]",
      cycloneDx({
        metadata: { ...metadata, properties: [property("gap", sentence)] },
        compositions: [{ aggregate: "incomplete", assemblies: ["image"] }],
      }),
    ],
    [
      "SPDX",
      "comment",
      JSON.stringify({
        spdxVersion: "SPDX-2.3",
        comment: `Coverage: partial.\n${sentence}`,
        creationInfo: { creators: ["Tool: plimsoll-1.0.0"] },
      }),
    ],
    [
      "SPDX as tags",
      "comment",
      `SPDXVersion: SPDX-2.3\nDocumentComment: <text>Coverage: partial.\n${sentence}</text>\nCreator: Tool: plimsoll-1.0.0\n`,
    ],
  ])("of an earlier version, has its sentences: %s", (_, at, document) => {
    const message = `the document says that it is incomplete. ${sentence}`;
    expect(coverageOf(document).problems).toEqual([{ at, code: "incomplete_sbom", message }]);
  });

  it("as tags and values, has the gaps of its annotations", () => {
    const document = `SPDXVersion: SPDX-2.3\nCreator: Tool: plimsoll-1.0.0\nAnnotator: Tool: plimsoll-1.0.0\nSPDXREF: SPDXRef-DOCUMENT
AnnotationComment: <text>plimsoll:coverage:unassessed:npm: 1</text>\n`;

    expect(coverageOf(document).unassessed).toEqual([{ kind: "npm", count: 1, evidence: [] }]);
  });
});

describe("a document that names an operating system", () => {
  const library = { type: "library", name: "express", version: "4.18.0", purl: "pkg:npm/express@4.18.0" };
  const system = (name: string, version = "1") => ({ type: "operating-system", name, version });
  const installed = (purl: string) => ({ type: "library", name: "a", version: "1", purl });
  const made = (components: readonly object[], tool = "trivy") =>
    cycloneDx({ metadata: { tools: [{ name: tool }] }, components: [...components, library] });
  const spdxSystem = (purl: string) => ({
    ...{ spdxVersion: "SPDX-2.3", name: "x", creationInfo: { creators: ["Tool: trivy-0.58.0"] } },
    packages: [
      { SPDXID: "SPDXRef-os", name: "debian", versionInfo: "12", primaryPackagePurpose: "OPERATING-SYSTEM" },
      { SPDXID: "SPDXRef-1", name: "a", externalRefs: [{ referenceType: "purl", referenceLocator: purl }] },
    ],
  });
  const syftSystem = (distro: object, purl: string) => ({
    artifacts: [{ id: "a", name: "a", version: "1", purl }],
    ...{ schema: { version: "16" }, source: { type: "image", name: "x" }, distro },
  });
  const debian = "pkg:deb/debian/curl@7?distro=debian-12";
  const xmlSystem =
    '<bom xmlns="http://cyclonedx.org/schema/bom/1.5"><components><component type="operating-system"><name>alpine</name><version>3.22.0</version></component></components></bom>';

  it.each<[string, string, readonly string[]]>([
    ["Debian, and no package of it", made([system("debian", "12")]), ["dpkg 1"]],
    ["Alpine", made([system("alpine", "3.22.0")]), ["apk 1"]],
    ["AlmaLinux, as Trivy names it", made([system("alma", "9.4")]), ["rpm 1"]],
    ["Windows", made([system("windows", "10.0")]), ["other 1"]],
    ["one that is not known", made([system("gardenlinux", "1443")]), ["other 1"]],
    ["one that is not known, with a package", made([system("gardenlinux"), installed(debian)]), []],
    ["one with a package", made([system("debian", "12"), installed(debian)]), []],
    ["one with a package of a distribution of another name", made([system("raspbian"), installed(debian)]), []],
    [
      "one with a package of its package manager, without a release",
      made([system("debian", "12"), installed("pkg:deb/curl@7")]),
      [],
    ],
    [
      "one with a package of a second package manager",
      made([system("openwrt", "24"), installed("pkg:apk/openwrt/a@1")]),
      [],
    ],
    ["a system of Nix", made([system("nixos", "24"), installed("pkg:nix/a@1")]), []],
    ["one with a package of another package manager", made([system("alpine", "3.22.0"), installed(debian)]), ["apk 1"]],
    [
      "two, one of them without packages",
      made([system("debian", "12"), system("alpine", "3"), installed(debian)]),
      ["apk 1"],
    ],
    [
      "two of one package manager, one of them without packages",
      made([system("debian", "12"), system("ubuntu", "24.04"), installed(debian)]),
      ["dpkg 1"],
    ],
    ["two without packages", made([system("debian", "12"), system("ubuntu", "24.04")]), ["dpkg 2"]],
    ["one, in XML", xmlSystem, ["apk 1"]],
    ["one, in SPDX", JSON.stringify(spdxSystem("pkg:npm/a@1")), ["dpkg 1"]],
    ["one with a package, in SPDX", JSON.stringify(spdxSystem(debian)), []],
    ["one, in Syft's form", JSON.stringify(syftSystem({ id: "debian", versionID: "12" }, "pkg:npm/a@1")), ["dpkg 1"]],
    [
      "one like another, in Syft's form",
      JSON.stringify(syftSystem({ id: "gardenlinux", idLike: ["debian"] }, "pkg:npm/a@1")),
      ["dpkg 1"],
    ],
    ["one with a package, in Syft's form", JSON.stringify(syftSystem({ id: "debian", versionID: "12" }, debian)), []],
    ["none, as documents of source code", made([]), []],
    ["none, in Syft's form", JSON.stringify(syftSystem({}, "pkg:npm/a@1")), []],
    ["one, in a document of ours, which states each of its gaps", made([system("debian", "12")], "plimsoll"), []],
    [
      "one, in two documents",
      [made([system("debian", "12")]), made([system("debian", "12")])]
        .map((each) => each.replace('"trivy"}]', '"trivy"}],"component":{"name":"x"}'))
        .join("\n"),
      ["dpkg 1"],
    ],
    [
      "one, with its packages in another document",
      [made([system("debian", "12")]), made([installed(debian)])]
        .map((each) => each.replace('"trivy"}]', '"trivy"}],"component":{"name":"x"}'))
        .join("\n"),
      [],
    ],
  ])("lacks the packages of those that it lists none of: %s", (_, document, expected) => {
    const { status, unassessed } = coverageOf(document);

    expect(unassessed.map(({ kind, count }) => `${kind} ${count}`)).toEqual(expected);
    expect(status).toBe(expected.length > 0 ? "partial" : "complete");
  });
});
