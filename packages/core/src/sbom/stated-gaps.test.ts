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
    [
      "what its subject depends on, in XML",
      xml(composition('<aggregate>incomplete</aggregate><dependencies><dependency ref="image"/></dependencies>')),
    ],
  ])("is covered in part: %s", (_, document) => {
    expect(coverageOf(document)).toMatchObject({ status: "partial", problems: incomplete });
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
    ["not known", composed({ aggregate: "unknown", assemblies: ["image"] })],
    ["not specified", composed({ aggregate: "not_specified" })],
    ["complete", composed({ aggregate: "complete", assemblies: ["image"] })],
    ["what depends on what", composed({ aggregate: "incomplete", dependencies: ["a"] })],
    ["vulnerabilities", composed({ aggregate: "incomplete", vulnerabilities: ["v"] })],
    [
      "a document of nothing",
      JSON.stringify({ bomFormat: "CycloneDX", compositions: [{ aggregate: "incomplete", assemblies: [""] }] }),
    ],
    [
      "what depends on what, in XML",
      xml(composition('<aggregate>incomplete</aggregate><dependencies><dependency ref="a"/></dependencies>')),
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
