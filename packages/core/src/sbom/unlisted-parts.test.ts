import { describe, expect, it } from "vitest";
import { readSbom } from "./read-sbom.ts";

const read = (document: unknown) => {
  const text = typeof document === "string" ? document : JSON.stringify(document);
  return readSbom(new TextEncoder().encode(text), "doc");
};
/** The places of what a document does not list, and the kind of each. */
const unlisted = (document: unknown) =>
  (read(document).gaps?.problems ?? []).map(
    ({ at, message }) => `${at} ${/another document|files|image|depends on/.exec(message)?.[0]}`,
  );

const app = { "bom-ref": "app", type: "application", name: "app", version: "1" };
const lib = { "bom-ref": "lib", type: "library", name: "a", version: "1", purl: "pkg:npm/a@1" };
const nginx = { "bom-ref": "n", type: "container", name: "nginx", version: "1.25", purl: "pkg:oci/nginx@sha256%3Aaa" };
const uuid = "3e671687-395b-41f5-a30f-a58921a69b79";
const bom = (url: string) => ({
  externalReferences: [
    { type: "vcs", url: "https://a.example/git" },
    { type: "bom", url },
  ],
});
const elsewhere = "urn:cdx:f08a6ccd-4dce-4759-bd84-c626675d60a7/1";

const cycloneDx = (components: readonly object[], more: object = {}) => ({
  ...{ bomFormat: "CycloneDX", specVersion: "1.6", serialNumber: `urn:uuid:${uuid}`, metadata: { component: app } },
  components,
  ...more,
});

const xml = (content: string, after = "") =>
  `<bom xmlns="http://cyclonedx.org/schema/bom/1.6" serialNumber="urn:uuid:${uuid}">${subject}<components>${container}${content}</component></components>${after}</bom>`;
const subject = '<metadata><component type="application"><name>app</name></component></metadata>';
const container = '<component bom-ref="n" type="container"><name>nginx</name><version>1.25</version>';
const tree = '<dependencies><dependency ref="n"><dependency ref="lib"/></dependency></dependencies>';
const reference = (url: string) =>
  `<externalReferences><reference type="bom"><url>${url}</url></reference></externalReferences>`;

describe("unlistedInCycloneDx", () => {
  it.each([
    [
      "a component whose bill of materials is elsewhere",
      cycloneDx([{ ...lib, ...bom(elsewhere) }]),
      [`${elsewhere} another document`],
    ],
    [
      "several in one document",
      cycloneDx([
        { ...lib, ...bom(elsewhere) },
        { ...app, ...bom(elsewhere) },
      ]),
      [`${elsewhere} another document`],
    ],
    [
      "one at an address",
      cycloneDx([{ ...lib, ...bom("https://a.example/bom.json") }]),
      ["https://a.example/bom.json another document"],
    ],
    ["one in the same document", cycloneDx([{ ...lib, ...bom(`urn:cdx:${uuid}/1#x`) }]), []],
    ["a document with more about the subject", cycloneDx([lib], bom(elsewhere)), [`${elsewhere} another document`]],
    [
      "the address of the document itself",
      cycloneDx([lib], { metadata: { component: { ...app, ...bom("https://a.example/bom.json") } } }),
      [],
    ],
    ["an excluded component with one", cycloneDx([{ ...lib, scope: "excluded", ...bom(elsewhere) }]), []],
    ["other references", cycloneDx([{ ...lib, externalReferences: [{ type: "website", url: elsewhere }] }]), []],
    ["an image", cycloneDx([lib, nginx]), ["pkg:oci/nginx@sha256%3Aaa image"]],
    [
      "an image by its package URL alone",
      cycloneDx([{ ...nginx, type: "library" }]),
      ["pkg:oci/nginx@sha256%3Aaa image"],
    ],
    ["an image without a package URL", cycloneDx([{ type: "container", name: "db", version: "2" }]), ["db 2 image"]],
    ["an image with packages in it", cycloneDx([{ ...nginx, components: [lib] }]), []],
    [
      "an image with packages below it",
      cycloneDx([nginx, lib], { dependencies: [{ ref: "n", dependsOn: ["lib"] }] }),
      [],
    ],
    [
      "an image that depends on nothing",
      cycloneDx([nginx, lib], { dependencies: [{ ref: "n", dependsOn: [] }] }),
      ["pkg:oci/nginx@sha256%3Aaa image"],
    ],
    [
      "the subject, listed twice",
      cycloneDx([nginx, lib], { metadata: { component: { ...nginx, "bom-ref": "x" } } }),
      [],
    ],
    [
      "the only image of a document without a subject",
      cycloneDx([nginx, lib], { metadata: {} }),
      ["pkg:oci/nginx@sha256%3Aaa image"],
    ],
    [
      "the only image of a document without a subject, with packages below it",
      cycloneDx([nginx, lib], { metadata: {}, dependencies: [{ ref: "n", dependsOn: ["lib"] }] }),
      [],
    ],
    [
      "an image by its name alone, without a subject",
      cycloneDx([{ type: "container", name: "db" }, lib], { metadata: {} }),
      ["db image"],
    ],
    [
      "an image of docker as a library, without a subject",
      cycloneDx([{ type: "library", name: "nginx", purl: "pkg:docker/nginx@1.25" }, lib], { metadata: {} }),
      ["pkg:docker/nginx@1.25 image"],
    ],
    ["an image in XML", xml(""), ["nginx 1.25 image"]],
    ["an image in XML with packages below it", xml("", tree), []],
    [
      "a package that another depends on",
      cycloneDx([lib], { dependencies: [{ ref: "app", dependsOn: ["lib", "pkg:npm/lodash@4.17.20"] }] }),
      ["pkg:npm/lodash@4.17.20 depends on"],
    ],
    [
      "a package by another form of its package URL",
      cycloneDx([{ ...lib, purl: "pkg:npm/%40a/b@1?x=y" }], {
        dependencies: [{ ref: "app", dependsOn: ["lib", "pkg:npm/@a/b@1", "pkg:github/a/b@1", "missing"] }],
      }),
      [],
    ],
    ["another document in XML", xml(reference(elsewhere), tree), [`${elsewhere} another document`]],
    ["the same document in XML", xml(reference(`urn:cdx:${uuid}/1`), tree), []],
  ])("finds %s", (_, document, expected) => {
    expect(unlisted(document)).toEqual(expected);
  });
});

const purl = (referenceLocator: string) => ({ externalRefs: [{ referenceType: "purl", referenceLocator }] });
const found = { SPDXID: "SPDXRef-a", name: "a", versionInfo: "1", ...purl("pkg:npm/a@1") };
const image = { SPDXID: "SPDXRef-n", name: "nginx", ...purl("pkg:oci/nginx@sha256%3Aaa") };
const other = { ...image, SPDXID: "SPDXRef-o" };
const relation = (from: string, relationshipType: string, to: string) => ({
  ...{ spdxElementId: `SPDXRef-${from}`, relationshipType, relatedSpdxElement: `SPDXRef-${to}` },
});
const spdx = (packages: readonly object[], ...relationships: readonly object[]) => ({
  ...{ spdxVersion: "SPDX-2.3", name: "app", packages, relationships },
});
const describesApp = [relation("DOCUMENT", "DESCRIBES", "a"), relation("a", "CONTAINS", "n")];

const spdx3 = (imported: string, ...relationships: readonly object[]) => ({
  "@context": "https://spdx.org/rdf/3.0.1/spdx-context.jsonld",
  "@graph": [
    { type: "SpdxDocument", spdxId: "doc", name: "app", rootElement: ["app"], import: [{ externalSpdxId: imported }] },
    { type: "software_Package", spdxId: "app", name: "app", software_packageUrl: "pkg:npm/app@1" },
    ...relationships,
  ],
});
const relation3 = (relationshipType: string, to: string) => ({
  type: "Relationship",
  from: "app",
  to: [to],
  relationshipType,
});

describe("unlistedInSpdx", () => {
  it.each([
    [
      "other documents of tags and values",
      "SPDXVersion: SPDX-2.3\nExternalDocumentRef: DocumentRef-base https://a.example SHA1: aa\nPackageName: a",
      ["DocumentRef-base another document"],
    ],
    [
      "files without packages",
      { ...spdx([]), files: [{ SPDXID: "SPDXRef-f", fileName: "./log4j-core-2.14.1.jar" }] },
      ["./log4j-core-2.14.1.jar files"],
    ],
    ["files beside packages", { ...spdx([found]), files: [{ SPDXID: "SPDXRef-f", fileName: "./a.jar" }] }, []],
    [
      "an image that is a part of the subject",
      spdx([found, image], ...describesApp),
      ["pkg:oci/nginx@sha256%3Aaa image"],
    ],
    [
      "an image for which packages are listed",
      spdx([found, image], ...describesApp, relation("n", "CONTAINS", "a")),
      [],
    ],
    ["the subject", spdx([found, image], relation("DOCUMENT", "DESCRIBES", "n")), []],
    ["the only image, without a subject", spdx([found, image]), []],
    [
      "a base image",
      spdx([found, image], relation("DOCUMENT", "DESCRIBES", "a"), relation("a", "DESCENDANT_OF", "n")),
      [],
    ],
    [
      "an image with which it was built",
      spdx([found, image], relation("DOCUMENT", "DESCRIBES", "a"), relation("n", "BUILD_TOOL_OF", "a")),
      [],
    ],
    [
      "the images of an index",
      spdx([image, other], relation("DOCUMENT", "DESCRIBES", "n"), relation("o", "VARIANT_OF", "n")),
      ["pkg:oci/nginx@sha256%3Aaa image"],
    ],
    [
      "a layer of an image",
      spdx(
        [
          image,
          { ...other, ...purl("pkg:oci/nginx@sha256%3Abb?mediaType=application%2Fvnd.oci.image.layer.v1.tar%2Bgzip") },
        ],
        relation("DOCUMENT", "DESCRIBES", "n"),
      ),
      [],
    ],
    [
      "a package in another document of SPDX 3",
      spdx3("urn:pkg", relation3("dependsOn", "urn:pkg")),
      ["urn:pkg another document"],
    ],
    [
      "what a build needed in another document of SPDX 3",
      spdx3("urn:pkg", { ...relation3("dependsOn", "urn:pkg"), from: "a-build" }),
      [],
    ],
    ["a licence in another document of SPDX 3", spdx3("urn:mit", relation3("hasDeclaredLicense", "urn:mit")), []],
  ])("finds %s", (_, document, expected) => {
    expect(unlisted(document)).toEqual(expected);
  });
});
