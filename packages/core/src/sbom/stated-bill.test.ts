import { describe, expect, it } from "vitest";
import { dependencyGraph } from "../index/dependency-graph.ts";
import { licenseReference } from "../licenses/license-reference.ts";
import { summarizeLicenses } from "../licenses/spdx.ts";
import { parseDigest } from "../model/digest.ts";
import { readSbom } from "./read-sbom.ts";
import { sbomReport } from "./sbom-report.ts";

const purl = "pkg:npm/lodash@4.17.20";
const digest = parseDigest(`sha256:${"0".repeat(64)}`);

function reportOf(document: object | string) {
  const text = typeof document === "string" ? document : JSON.stringify(document);
  return sbomReport(readSbom(new TextEncoder().encode(text), "bom"), { name: "bom", digest });
}

const cycloneDx = (component: object) => ({
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  components: [{ type: "library", name: "lodash", purl, ...component }],
});

const spdx = (found: object, document: object = {}) => ({
  spdxVersion: "SPDX-2.3",
  name: "x",
  packages: [
    {
      SPDXID: "SPDXRef-1",
      name: "lodash",
      externalRefs: [{ referenceType: "purl", referenceLocator: purl }],
      ...found,
    },
  ],
  ...document,
});

const extracted = (...infos: readonly (readonly [id: string, name: string, text?: string])[]) => ({
  hasExtractedLicensingInfos: infos.map(([licenseId, name, extractedText]) => ({ licenseId, name, extractedText })),
});

const ourTool = { creationInfo: { creators: ["Tool: plimsoll-1.0.0"] } };

const tagValue = `SPDXVersion: SPDX-2.3
DocumentName: x
PackageName: lodash
SPDXID: SPDXRef-1
ExternalRef: PACKAGE-MANAGER purl ${purl}
PackageLicenseDeclared: MIT OR LicenseRef-1
LicenseID: LicenseRef-1
ExtractedText: <text>Do what
you like</text>
LicenseName: Acme-1.0
`;

const set = (type: string, ...member: readonly string[]) => ({
  type: `expandedlicensing_${type}`,
  spdxId: `urn:${type}`,
  expandedlicensing_member: member,
});

const spdx3 = (to: string, ...elements: readonly object[]) => ({
  "@context": "https://spdx.org/rdf/3.0.1/spdx-context.jsonld",
  "@graph": [
    { type: "SpdxDocument", spdxId: "urn:d", name: "x" },
    { type: "software_Package", spdxId: "urn:p", name: "lodash", software_packageUrl: purl },
    { type: "Relationship", spdxId: "urn:r", from: "urn:p", to: [to], relationshipType: "hasDeclaredLicense" },
    ...elements,
  ],
});

const [mit, isc] = ["https://spdx.org/licenses/MIT", "https://spdx.org/licenses/ISC"];
const ofPackage = licenseReference("SEE LICENSE IN LICENSE.md", "lodash 4.17.20");
const terms = licenseReference("Acme Terms, v2");

describe("licences of a document", () => {
  it.each([
    ["a title", cycloneDx({ licenses: [{ license: { name: "Apache License, Version 2.0" } }] }), "Apache-2.0"],
    [
      "an address",
      cycloneDx({ licenses: [{ license: { name: "BSD", url: "https://opensource.org/licenses/BSD-3-Clause" } }] }),
      "BSD-3-Clause",
    ],
    ["no assertion", cycloneDx({ licenses: [{ license: { name: "NOASSERTION" } }] }), undefined],
    ["no assertion as an expression", cycloneDx({ licenses: [{ expression: "NOASSERTION" }] }), undefined],
    ["none", cycloneDx({ licenses: [{ license: { name: "NONE" } }, { license: { id: "MIT" } }] }), "MIT"],
    [
      "a reference of one package",
      cycloneDx({
        licenses: [{ license: { name: "SEE LICENSE IN LICENSE.md" } }],
        properties: [{ name: "plimsoll:license-reference", value: `${ofPackage} SEE LICENSE IN LICENSE.md` }],
      }),
      ofPackage,
    ],
    ["no assertion in SPDX", spdx({ licenseDeclared: "NOASSERTION", licenseConcluded: "NONE" }), undefined],
    ["what is concluded", spdx({ licenseDeclared: "NOASSERTION", licenseConcluded: "MIT" }), "MIT"],
    [
      "a name",
      spdx({ licenseDeclared: "LicenseRef-1" }, extracted(["LicenseRef-1", "Acme-1.0"])),
      "LicenseRef-Acme-1.0",
    ],
    [
      "a title for a reference",
      spdx({ licenseDeclared: "LicenseRef-1" }, extracted(["LicenseRef-1", "MIT License"])),
      "MIT",
    ],
    [
      "names in an expression",
      spdx(
        { licenseDeclared: "MIT AND (LicenseRef-1 OR LicenseRef-2)" },
        extracted(["LicenseRef-1", "Acme Terms, v2"], ["LicenseRef-2", "BSD-2-Clause OR ISC"]),
      ),
      `MIT AND (${terms} OR BSD-2-Clause OR ISC)`,
    ],
    [
      "a text without a name",
      spdx({ licenseDeclared: "LicenseRef-1" }, extracted(["LicenseRef-1", "NOASSERTION", "Acme Terms, v2"])),
      terms,
    ],
    [
      "a reference that says what it is",
      spdx({ licenseDeclared: "LicenseRef-Acme" }, extracted(["LicenseRef-Acme", "", "Acme Terms, v2"])),
      "LicenseRef-Acme",
    ],
    [
      "a reference of another document",
      spdx({ licenseDeclared: "DocumentRef-a:LicenseRef-1" }, extracted(["LicenseRef-1", "MIT"])),
      licenseReference("DocumentRef-a:LicenseRef-1"),
    ],
    [
      "our own reference",
      spdx(
        { licenseDeclared: "GPL-2.0-only AND LicenseRef-MIT" },
        { ...extracted(["LicenseRef-MIT", "MIT"]), ...ourTool },
      ),
      "GPL-2.0-only AND LicenseRef-MIT",
    ],
    ["tags and values", tagValue, "MIT OR LicenseRef-Acme-1.0"],
    ["SPDX 3: an element of the list", spdx3(mit), "MIT"],
    [
      "SPDX 3: a set",
      spdx3(
        "urn:ConjunctiveLicenseSet",
        set("ConjunctiveLicenseSet", isc, "urn:DisjunctiveLicenseSet"),
        {
          ...set("DisjunctiveLicenseSet", mit, "urn:c"),
        },
        { type: "expandedlicensing_CustomLicense", spdxId: "urn:c", name: "Acme-1.0" },
      ),
      "ISC AND (MIT OR LicenseRef-Acme-1.0)",
    ],
    [
      "SPDX 3: a set in itself",
      spdx3("urn:ConjunctiveLicenseSet", set("ConjunctiveLicenseSet", "urn:ConjunctiveLicenseSet")),
      undefined,
    ],
    [
      "SPDX 3: a text",
      spdx3(
        "urn:l",
        {
          type: "simplelicensing_LicenseExpression",
          spdxId: "urn:l",
          simplelicensing_licenseExpression: "MIT OR LicenseRef-1",
          simplelicensing_customIdToUri: [{ type: "DictionaryEntry", key: "LicenseRef-1", value: "urn:t" }],
        },
        { type: "simplelicensing_SimpleLicensingText", spdxId: "urn:t", simplelicensing_licenseText: "Acme-1.0" },
      ),
      "MIT OR LicenseRef-Acme-1.0",
    ],
  ])("reads %s", (_, document, expression) => {
    const [details = {}] = Object.values(reportOf(document).details ?? {});

    expect(summarizeLicenses(details)?.expression).toBe(expression);
  });

  it("reads an expression that is longer than that of one package", () => {
    const licenseDeclared = Array.from({ length: 200 }, (_, at) => `LicenseRef-${at}-${"x".repeat(40)}`).join(" AND ");

    const [details = {}] = Object.values(
      reportOf(spdx({ licenseDeclared: `${licenseDeclared} AND (MIT OR ISC)` })).details ?? {},
    );

    expect(summarizeLicenses(details)?.expression).toBe(`${licenseDeclared} AND (MIT OR ISC)`);
  });
});

describe("makers of a document", () => {
  it.each([
    ["no assertion", spdx({ supplier: "NOASSERTION", originator: "Organization: NOASSERTION" }), undefined],
    [
      "no assertion",
      cycloneDx({ supplier: { name: "NOASSERTION" }, publisher: "none", copyright: "NOASSERTION" }),
      undefined,
    ],
    [
      "a supplier",
      spdx({ supplier: "Organization: Acme (a@a.example)", copyrightText: "NONE" }),
      { supplier: "Acme <a@a.example>" },
    ],
  ])("reads %s", (_, document, details) => {
    const [found] = Object.values(reportOf(document).details ?? {});

    expect(found).toEqual(details);
  });

  it("takes no version and no package URL of one that says nothing", () => {
    const { packages } = reportOf(cycloneDx({ version: "NOASSERTION", purl: "NOASSERTION" }));

    expect(Object.values(packages)).toMatchObject([{ name: "lodash", version: "" }]);
  });
});

describe("what packages of a document need", () => {
  const graph = (aggregate: string) =>
    dependencyGraph(
      reportOf({
        ...cycloneDx({ "bom-ref": "a" }),
        dependencies: [{ ref: "a", dependsOn: [] }],
        compositions: [{ aggregate, dependencies: ["a"] }],
      }),
    );

  it.each([
    ["complete", 0, 0],
    ["incomplete", 1, 0],
    ["incomplete_first_party_only", 1, 0],
    ["unknown", undefined, undefined],
    ["not_specified", undefined, undefined],
  ])("is %s", (aggregate, incomplete, unknown) => {
    expect([graph(aggregate)?.incomplete.length, graph(aggregate)?.unknown.length]).toEqual([incomplete, unknown]);
  });
});
