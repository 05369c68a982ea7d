import { describe, expect, it } from "vitest";
import { parseAttachedInSlices, sbomKind } from "../vex/attached-artifacts.ts";
import { readSbom, readSbomInSlices } from "./read-sbom.ts";
import type { Sbom } from "./sbom.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const readText = (text: string) => readSbom(encode(text), "doc");
const readJson = (document: unknown) => readText(JSON.stringify(document));

const purl = "pkg:deb/debian/libssl3@3.0.11-1?arch=amd64&distro=debian-12";
const owned = "pkg:pypi/six@1.16.0";
const cpe = "cpe:2.3:a:openssl:openssl:3.0.11:*:*:*:*:*:*:*";

const cycloneDx = {
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  metadata: {
    tools: { components: [{ type: "application", name: "trivy" }] },
    component: { type: "container", name: "app", version: "1" },
  },
  components: [
    { type: "operating-system", name: "debian", version: "12", description: "Debian 12 <b>" },
    {
      ...{
        "bom-ref": "a",
        type: "library",
        name: "libssl3",
        version: "3.0.11-1",
        purl,
        cpe,
        supplier: { name: "OpenSSL" },
        licenses: [{ license: { name: "Own" } }],
      },
      properties: [
        { name: "aquasecurity:trivy:SrcName", value: "openssl" },
        { name: "aquasecurity:trivy:SrcVersion", value: "3.0.11" },
      ],
      components: [
        { type: "library", group: "@b", name: "c", version: "2", purl: "pkg:npm/%40b/c@2", scope: "excluded" },
        {
          ...{ "bom-ref": "d", type: "library", name: "six", version: "1.16.0", purl: owned },
          evidence: { occurrences: [{ location: "/usr/lib/six" }] },
        },
      ],
    },
  ],
};

const toolsOf1_6 = "<components><component type='application'><name>trivy</name></component></components>";
const toolsOf1_2 = "<tool><vendor>aquasecurity</vendor><name>trivy</name></tool>";

const xml = (version: string, tools: string, prefix = "") =>
  `<?xml version="1.0" encoding="utf-8"?>
<bom xmlns="http://cyclonedx.org/schema/bom/${version}" version="1"><metadata>
  <tools>${tools}</tools>
  <component type="container"><name>app</name><version>1</version></component></metadata>
<components>
  <component type="operating-system"><name>debian</name><version>12</version><description><![CDATA[Debian 12 <b>]]></description>
    <swid tagId="debian" name="other" version="1"/></component>
  <component bom-ref="a" type="library">
    <supplier><name>OpenSSL</name></supplier><name>libssl3</name><version> 3.0.11-1 </version>
    <hashes><hash alg="MD5">x</hash></hashes><licenses><license><name>Own</name></license></licenses>
    <cpe>${cpe}</cpe><purl>${purl.replace("&", "&amp;")}</purl><pedigree><ancestors><component type="library"><name>old</name>
    <purl>pkg:npm/old@1</purl></component></ancestors></pedigree>
    <components><component type="library"><group>@b</group><name>c</name><version>2</version><scope>excluded</scope>
      <purl>pkg:npm/%40b/c@2</purl></component><component bom-ref="d" type="library"><name>six</name><version>1.16.0</version>
      <purl>${owned}</purl><evidence><identity><field>purl</field></identity><occurrences><occurrence><location>/usr/lib/six</location></occurrence>
      </occurrences></evidence></component></components>
    <properties><property name="aquasecurity:trivy:SrcName">openssl</property>
      <property name="aquasecurity:trivy:SrcVersion">3.0.11</property></properties>
  </component>
</components></bom>`
    .replaceAll(/<(\/?)(?=[a-z]{2})/g, `<$1${prefix}`)
    .replace(" xmlns=", prefix === "" ? " xmlns=" : " xmlns:c=");

const spdx = {
  spdxVersion: "SPDX-2.3",
  name: "app",
  creationInfo: { creators: ["Tool: syft-1.18.1"] },
  packages: [
    {
      ...{ SPDXID: "SPDXRef-OS", name: "debian", versionInfo: "12", description: "Debian\n12" },
      primaryPackagePurpose: "OPERATING-SYSTEM",
    },
    {
      ...{ SPDXID: "SPDXRef-A", name: "libssl3", versionInfo: "3.0.11-1" },
      sourceInfo: "built package from: openssl 3.0.11-1",
      externalRefs: [
        { referenceType: "cpe23Type", referenceLocator: cpe },
        { referenceType: "purl", referenceLocator: purl },
      ],
    },
    {
      ...{ SPDXID: "SPDXRef-B", name: "six", versionInfo: "1.16.0" },
      externalRefs: [
        { referenceType: "cpe23Type", referenceLocator: cpe, comment: "derived" },
        { referenceType: "purl", referenceLocator: owned },
      ],
    },
  ],
  relationships: [{ spdxElementId: "SPDXRef-A", relatedSpdxElement: "SPDXRef-B", relationshipType: "CONTAINS" }],
};

const tagValue = (version: string) => `# made by hand
SPDXVersion: SPDX-${version}
DataLicense: CC0-1.0
SPDXID: SPDXRef-DOCUMENT
DocumentName: app
Creator: Organization: Anchore, Inc
Creator: Tool: syft-1.18.1

##### Unpackaged files

FileName: usr/lib/six
SPDXID: SPDXRef-File

##### Package: debian

PackageName: debian
SPDXID: SPDXRef-OS
PackageVersion: 12
PrimaryPackagePurpose: OPERATING-SYSTEM
PackageDescription: <text>Debian
12</text>
PackageComment: <text>
PackageName: not this
</text>

PackageName: libssl3\r
SPDXID: SPDXRef-A\r
PackageVersion: 3.0.11-1\r
PackageSourceInfo: <text>built package from: openssl 3.0.11-1</text>
ExternalRef: SECURITY cpe23Type ${cpe}
ExternalRef: PACKAGE-MANAGER purl ${purl}

PackageName: six
SPDXID: SPDXRef-B
PackageVersion: 1.16.0
ExternalRef: SECURITY cpe23Type ${cpe}
ExternalRefComment: derived
ExternalRef: PACKAGE_MANAGER purl ${owned}

SnippetSPDXID: SPDXRef-S
PackageVersion: 9

Relationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-A
Relationship: SPDXRef-A CONTAINS SPDXRef-B
RelationshipComment: <text>owns</text>`;

const spdx3 = (typeOf: (name: string) => string) => ({
  "@context": "https://spdx.org/rdf/3.0.1/spdx-context.jsonld",
  "@graph": [
    { type: "CreationInfo", "@id": "_:c", specVersion: "3.0.1", createdUsing: ["t"] },
    { type: "Tool", spdxId: "t", name: "syft" },
    { type: "SpdxDocument", spdxId: "doc", name: "app", rootElement: ["SPDXRef-A"] },
    {
      ...{ type: typeOf("Package"), spdxId: "SPDXRef-OS", name: "debian", software_packageVersion: "12" },
      ...{ description: "Debian\n12", software_primaryPurpose: "operatingSystem" },
    },
    {
      ...{ type: typeOf("Package"), spdxId: "SPDXRef-A", name: "libssl3", software_packageVersion: "3.0.11-1" },
      ...{ software_packageUrl: purl, software_sourceInfo: "built package from: openssl 3.0.11-1" },
      externalIdentifier: [{ type: "ExternalIdentifier", externalIdentifierType: "cpe23", identifier: cpe }],
    },
    {
      ...{ type: typeOf("Package"), spdxId: "SPDXRef-B", name: "six", software_packageVersion: "1.16.0" },
      externalIdentifier: [
        { type: "ExternalIdentifier", externalIdentifierType: "cpe23", identifier: cpe, comment: "derived" },
        { type: "ExternalIdentifier", externalIdentifierType: "packageUrl", identifier: owned },
      ],
    },
    { type: typeOf("File"), spdxId: "f", name: "usr/lib/six" },
    { type: "Relationship", from: "SPDXRef-A", to: ["SPDXRef-B", "f"], relationshipType: "contains" },
  ],
});

const statement = (predicate: unknown, predicateType = "https://cyclonedx.org/bom") => ({
  _type: "https://in-toto.io/Statement/v1",
  subject: [{ name: "app", digest: { sha256: "a" } }],
  predicateType,
  predicate,
});
const envelope = (content: unknown) => ({
  payloadType: "application/vnd.in-toto+json",
  payload: Buffer.from(JSON.stringify(content)).toString("base64"),
  signatures: [{ sig: "x" }],
});

/** What `gh attestation verify --format json` prints about an attestation. */
const verified = (content: unknown) => ({
  attestation: { bundle: { dsseEnvelope: envelope(content) }, bundle_url: "https://a.example" },
  verificationResult: { statement: content, verifiedTimestamps: [] },
});

const about = (hex: string, predicate: unknown, type?: string) => ({
  ...statement(predicate, type),
  subject: [{ name: "app", digest: { sha256: hex } }],
});

/** The text in UTF-16 with its byte order mark. */
const utf16 = (text: string, order: "le" | "be") => {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  return order === "le" ? bytes : bytes.swap16();
};

const fromCycloneDx = readJson(cycloneDx);
const fromSpdx = readJson(spdx);

const forms: readonly (readonly [form: string, text: string, same: Sbom])[] = [
  ["CycloneDX 1.2 in XML", xml("1.2", toolsOf1_2), fromCycloneDx],
  ["CycloneDX 1.6 in XML", xml("1.6", toolsOf1_6), fromCycloneDx],
  ["CycloneDX in XML with a prefix", xml("1.6", toolsOf1_6, "c:"), fromCycloneDx],
  ["CycloneDX in XML behind a byte order mark", `\uFEFF${xml("1.5", toolsOf1_6)}`, fromCycloneDx],
  ["SPDX 2.2 as tags and values", tagValue("2.2"), fromSpdx],
  ["SPDX 2.3 as tags and values", tagValue("2.3"), fromSpdx],
  ["SPDX 3 in JSON-LD", JSON.stringify(spdx3((name) => `software_${name}`)), fromSpdx],
  [
    "SPDX 3 with whole IRIs",
    JSON.stringify(spdx3((name) => `https://spdx.org/rdf/3.0.1/terms/Software/${name}`)),
    fromSpdx,
  ],
  ["what GitHub's API answers", JSON.stringify({ sbom: spdx }), fromSpdx],
  ["what docker buildx prints", JSON.stringify({ SPDX: spdx }), fromSpdx],
  ["a statement", JSON.stringify(statement(cycloneDx)), fromCycloneDx],
  ["an envelope", JSON.stringify(envelope(statement(spdx, "https://spdx.dev/Document"))), fromSpdx],
  ["a bundle of Sigstore", JSON.stringify({ dsseEnvelope: envelope(statement(cycloneDx)) }), fromCycloneDx],
  [
    "a statement in which cosign wraps the document",
    JSON.stringify(statement({ Data: cycloneDx, Timestamp: "" })),
    fromCycloneDx,
  ],
  [
    "a statement with tags and values",
    JSON.stringify(statement(tagValue("2.3"), "https://spdx.dev/Document")),
    fromSpdx,
  ],
];

describe("readSbom", () => {
  it("reads the one of several attestations, one a line, that is a bill of materials", () => {
    const provenance = envelope({ predicateType: "https://slsa.dev/provenance/v1", predicate: {} });
    const lines = [provenance, envelope(statement(cycloneDx))].map((each) => JSON.stringify(each));

    expect(readText(`${lines.join("\n")}\n`)).toEqual(readJson(cycloneDx));
  });

  const spdxType = "https://spdx.dev/Document";
  const lodash = { type: "library", name: "lodash", version: "4.17.20", purl: "pkg:npm/lodash@4.17.20" };
  const other = { ...cycloneDx, components: [...cycloneDx.components.slice(1), lodash] };
  const names = ({ packages }: Sbom) => packages.map(({ package: each }) => each.name);

  it.each([
    ["one a line", [about("aa", cycloneDx), about("aa", spdx, spdxType)], (all: unknown[]) => all],
    [
      "in envelopes",
      [envelope(about("aa", cycloneDx)), envelope(about("aa", spdx, spdxType))],
      (all: unknown[]) => all,
    ],
    ["in a list", [about("aa", cycloneDx), about("aa", spdx, spdxType)], (all: unknown[]) => [all]],
    [
      "as GitHub's API answers",
      [about("aa", cycloneDx), about("aa", spdx, spdxType)],
      (all: unknown[]) => [{ attestations: all.map((bundle) => ({ bundle: { dsseEnvelope: envelope(bundle) } })) }],
    ],
    [
      "as the command of GitHub prints what it verified",
      [about("aa", cycloneDx), { predicateType: "slsa", predicate: {} }, about("aa", spdx, spdxType)],
      (all: unknown[]) => [all.map(verified)],
    ],
    [
      "in bundles, one a line, as the command of GitHub downloads them",
      [about("aa", cycloneDx), about("aa", spdx, spdxType)],
      (all: unknown[]) => all.map((each) => ({ mediaType: "bundle", dsseEnvelope: envelope(each) })),
    ],
    ["without attestations", [cycloneDx, other], (all: unknown[]) => all],
  ])("reads several bills of materials of one image %s, each package once", (form, documents, listed) => {
    const found = readText(
      listed(documents)
        .map((each) => JSON.stringify(each))
        .join("\n"),
    );

    const more = form === "without attestations" ? ["lodash"] : [];
    expect(names(found)).toEqual([...names(fromCycloneDx), ...more]);
    expect(found.subject).toEqual(fromCycloneDx.subject);
  });

  it("takes of several entries for a package the one whose document states most about it", () => {
    const bare = {
      ...{ bomFormat: "CycloneDX", specVersion: "1.6", metadata: { component: cycloneDx.metadata.component } },
      components: [{ type: "library", name: "libssl3", version: "3.0.11-1", purl }],
    };

    const [libssl] = readText(`${JSON.stringify(bare)}\n${JSON.stringify(cycloneDx)}`).packages;

    expect(readJson(bare).packages[0]?.repositories.map(({ name }) => name)).toEqual(["source", "maker"]);
    expect(libssl).toEqual(fromCycloneDx.packages[0]);
  });

  it("reads what is about the chosen image, and names the images of which one has to be chosen", () => {
    const texts = [about("aa", cycloneDx), about("bb", other)].map((each) => JSON.stringify(each));
    const read = (subject: string) => readSbom(encode(texts.join("\n")), "doc", { subject });

    expect(read("sha256:aa")).toEqual(fromCycloneDx);
    expect(names(read("sha256:bb"))).toContain("lodash");
    expect(() => read("sha256:cc")).toThrow("doc: expected an attestation about sha256:cc, found sha256:aa, sha256:bb");
  });

  it("counts problems of each of several documents with their places", () => {
    const broken = { ...other, components: [{ ...lodash, purl: "pkg:npm/" }] };

    const { problems } = readText(`${JSON.stringify(cycloneDx)}\n${JSON.stringify(broken)}`);

    expect(problems.map(({ at }) => at)).toEqual(["line 2: components[0]"]);
  });

  it.each([
    ["JSON", JSON.stringify(cycloneDx)],
    ["XML", xml("1.6", toolsOf1_6).replace("utf-8", "UTF-16")],
    [
      "attestations, one a line",
      `${JSON.stringify(statement(cycloneDx))}\n${JSON.stringify({ predicateType: "slsa" })}\n`,
    ],
  ])("reads %s in UTF-16 with a byte order mark", (_, text) => {
    for (const order of ["le", "be"] as const) expect(readSbom(utf16(text, order), "doc")).toEqual(fromCycloneDx);
  });

  it("refuses UTF-16 that is damaged", () => {
    expect(() => readSbom(utf16("{}", "le").subarray(0, -1), "doc")).toThrow(
      "doc: expected a text, found damaged UTF-16",
    );
  });

  it("has packages, owners, sources and CPE names to compare", () => {
    const shown = ({ packages }: Sbom) => packages.map(({ package: each }) => [each.name, each.source?.name, each.cpe]);

    expect(shown(fromCycloneDx)).toEqual([
      ["libssl3", "openssl", cpe],
      ["@b/c", undefined, undefined],
      ["six", undefined, undefined],
    ]);
    expect(shown(fromSpdx)).toEqual([
      ["libssl3", "openssl", cpe],
      ["six", undefined, undefined],
    ]);
    expect(fromSpdx.packages[1]?.repositories.map(({ name }) => name)).toEqual(["pypi", "libssl3"]);
  });

  it.each(forms)("reads %s like the same document in JSON", (_, text, same) => {
    expect(readText(text)).toEqual(same);
  });

  it.each(forms.filter(([form]) => !/statement|envelope|bundle/.test(form)))(
    "reads %s in slices, too",
    async (_, text, same) => {
      const stored = { bytes: encode(text), name: "doc", kind: sbomKind, isAttested: false };
      const slices = { mostEntries: 100, yieldToOthers: () => {} };

      const [document = ""] = await parseAttachedInSlices(stored, slices.yieldToOthers);
      const { sbom } = await readSbomInSlices(document, "doc", slices);

      expect(sbom).toEqual(same);
    },
  );

  const bom = (content: string) => `<bom xmlns="http://cyclonedx.org/schema/bom/1.6">${content}`;
  const doctype = '<!DOCTYPE bom [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;">]>';

  it.each([
    ["another kind of XML", "<beans/>", "found <beans>, not <bom>"],
    ["a project file of Maven", "<project/>", "found a project file of Maven: scan its folder"],
    ["SPDX in RDF", '<rdf:RDF xmlns:rdf="http://x"/>', "found SPDX in RDF: convert it to JSON"],
    ["a SWID tag", "<SoftwareIdentity/>", "found a SWID tag"],
    ["XML that ends too early", bom("<components>"), "unclosed tag"],
    ["XML with entities of its own", `${doctype}${bom("&b;</bom>")}`, "document type declaration"],
    ["an entity that is not there", bom("&lol;</bom>"), "entity"],
    ["XML in another encoding", `<?xml version="1.0" encoding="utf-7"?>${bom("</bom>")}`, "encoding utf-7"],
    ["elements that nest without end", bom("<components><component>".repeat(300)), "nested more than 500 deep"],
    ["other elements that nest without end", bom("<a>".repeat(600)), "nested more than 500 deep"],
    ["SPDX 3 as version of the older form", "SPDXVersion: SPDX-3.0\n", "expected SPDX 2, found SPDX-3.0"],
    [
      "an attestation of something else",
      JSON.stringify(statement({ builder: {} }, "https://slsa.dev/provenance/v1")),
      "slsa",
    ],
    [
      "an attestation without a document",
      JSON.stringify(statement(null)),
      "found an attestation of https://cyclonedx.org/bom",
    ],
    ["an envelope that is not base64", JSON.stringify({ payload: "%" }), "expected a payload in base64"],
    [
      "several bills of materials that do not name what they are about",
      `${JSON.stringify({ ...cycloneDx, metadata: {} })}\n${JSON.stringify(spdx)}`,
      "expected bills of materials about one image, found 2 about a subject that is not stated",
    ],
    [
      "several bills of materials about different images",
      `${JSON.stringify(about("aa", cycloneDx))}\n${JSON.stringify(about("bb", spdx))}`,
      "found 2 about sha256:aa, sha256:bb: choose one with sbom:",
    ],
    [
      "several attestations without a bill of materials",
      JSON.stringify([{ predicateType: "slsa" }, { predicateType: "vex" }]),
      "expected a bill of materials in 2 documents, found none",
    ],
  ])("refuses %s", (_, text, message) => {
    expect(() => readText(text)).toThrow(message);
    expect(() => readText(text)).toThrow(expect.objectContaining({ code: "malformed_sbom" }));
  });

  it("reads lines of SPDX whose texts have no end in linear time, each as one line", () => {
    const text = `SPDXVersion: SPDX-2.3\nPackageName: a\n${"PackageComment: <text>\n".repeat(200_000)}PackageVersion: 1`;

    expect(readText(text).packages).toMatchObject([{ package: { name: "a", version: "1" } }]);
  });
});
