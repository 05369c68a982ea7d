/**
 * CycloneDX 1.6 and 1.7 in JSON: a bill of materials, with vulnerabilities if the image was matched.
 *
 * @see https://cyclonedx.org/docs/1.7/json/
 */
import type { Distribution } from "@plimsoll/core";
import { digestHex } from "@plimsoll/core/digest";
import {
  addressOf,
  dependencyGraph,
  gapProperties,
  isRepository,
  type PackageFile,
  type Party,
  pageOf,
  partyOf,
  summarizeLicenses,
  supplierOf,
} from "@plimsoll/core/internal";
import { formatPlatform } from "@plimsoll/core/platform";
import type { PackageDetails } from "@plimsoll/core/report";
import { type Component, formattedCpe, listBill } from "./components.ts";
import { contentUuid } from "./content-uuid.ts";
import { coverageIn, coverageSentences, listStatus } from "./coverage-sentences.ts";
import {
  componentReferences,
  cycloneDxVulnerabilities,
  type References,
  versionOf,
} from "./cyclonedx-vulnerabilities.ts";
import { imageFacts, imagePurl, withoutName } from "./image-facts.ts";
import { deliveredFile, type FileOfPackages, filesOfPackages } from "./package-files.ts";
import { type DocumentStamp, type ReportedImage, toolName, toolPage } from "./reported-image.ts";

/** The versions of CycloneDX that are written. */
export type CycloneDxVersion = "1.6" | "1.7";

/** The reference of the image within the document. */
const imageReference = "image";

/**
 * Formats the bill of materials of an image as a CycloneDX document, with its vulnerabilities if it was matched. The serial number is derived from the content.
 *
 * @example
 * declare const report: ScanReport;
 * JSON.stringify(toCycloneDx(report, { toolVersion: "1.0.0", createdAt: Date.now() }, "1.7"));
 */
export function toCycloneDx(image: ReportedImage, stamp: DocumentStamp, version: CycloneDxVersion = "1.6"): object {
  const components = listBill(image.index);
  const references = componentReferences(components);
  const { vulnerabilities } = image;
  const content = {
    metadata: metadataOf(image, stamp, version),
    components: [
      ...Object.values(image.index.distributions).map(operatingSystemOf),
      ...components.map((component) => cycloneDxComponent(component, references, version)),
      ...filesOfPackages(components).map((file) => fileComponent(file, references)),
    ],
    ...dependenciesOf(image, references),
    vulnerabilities: vulnerabilities && cycloneDxVulnerabilities({ ...image, vulnerabilities }, references),
  };
  return cycloneDxDocument(content, { image, stamp, version });
}

/** The dependency graph, and how complete it and the list of components are. Without a graph, everything hangs on the image. */
function dependenciesOf(image: ReportedImage, references: References): object {
  const graph = dependencyGraph(image.index);
  const isPartial = listStatus(image) === "partial";
  const refsOf = (ids: readonly string[]) => ids.flatMap((id) => references.ofPackage(id));
  const all = Object.keys(image.index.packages);
  const systems = Object.values(image.index.distributions).map(systemReference);
  const { roots = all, needs = new Map(), incomplete = [], unknown = all } = graph ?? {};
  const open = new Set([...incomplete, ...unknown]);
  const complete = [...needs.keys()].filter((id) => !open.has(id));
  const [toIncomplete, toComplete] = isPartial ? [[imageReference], []] : [[], [imageReference]];
  return {
    dependencies: [
      { ref: imageReference, dependsOn: [...systems, ...refsOf(roots)] },
      ...[...needs].flatMap(([id, others]) => refsOf([id]).map((ref) => ({ ref, dependsOn: refsOf(others) }))),
    ],
    compositions: [
      { aggregate: isPartial ? "incomplete" : "complete", assemblies: [imageReference] },
      ...compositionOf("complete", [...toComplete, ...refsOf(complete)]),
      ...compositionOf("incomplete", [...toIncomplete, ...refsOf(incomplete)]),
      ...compositionOf("unknown", [...systems, ...refsOf(unknown.filter((id) => !incomplete.includes(id)))]),
    ],
  };
}

function compositionOf(aggregate: string, dependencies: readonly string[]): readonly object[] {
  return dependencies.length === 0 ? [] : [{ aggregate, dependencies }];
}

/** What a document is about, and how it is written. */
interface DocumentOf {
  readonly image: ReportedImage;
  readonly stamp: DocumentStamp;
  readonly version?: CycloneDxVersion;
}

/** Creates a document with a content. Its serial number does not depend on the name of the image. */
export function cycloneDxDocument(content: object, { image, stamp, version = "1.6" }: DocumentOf): object {
  const unnamed = { ...content, metadata: metadataOf(withoutName(image), stamp, version) };
  return {
    $schema: `http://cyclonedx.org/schema/bom-${version}.schema.json`,
    bomFormat: "CycloneDX",
    specVersion: version,
    serialNumber: `urn:uuid:${contentUuid(unnamed)}`,
    version: 1,
    ...content,
  };
}

/** The subject of the document, the program that wrote it, and who is responsible for both. */
export function metadataOf(image: ReportedImage, stamp: DocumentStamp, version: CycloneDxVersion = "1.6"): object {
  const { index } = image;
  const { toolVersion, createdAt, authors = [] } = stamp;
  const { supplier } = imageFacts(image, stamp);
  const makers = authors.map(partyOf);
  const [maker] = makers;
  const tool = { type: "application", name: toolName, version: toolVersion };
  return {
    timestamp: new Date(createdAt).toISOString(),
    lifecycles: [{ phase: "post-build" }],
    tools: { components: [{ ...tool, externalReferences: [{ type: "website", url: toolPage }] }] },
    authors: makers.length === 0 ? undefined : makers.map(contactOf),
    manufacturer: organizationOf(maker),
    supplier: organizationOf(supplier),
    component: imageComponent(image, stamp, version),
    licenses: [{ license: { id: "CC0-1.0" } }],
    properties: [
      property("coverage", coverageIn(image).status),
      ...coverageSentences(image, createdAt).map((sentence) => property("coverage:gap", sentence)),
      ...gapProperties(index.coverage),
    ],
  };
}

function imageComponent(image: ReportedImage, stamp: DocumentStamp, version: CycloneDxVersion): object {
  const { index, platform, config, reference, isFolder = false } = image;
  const facts = imageFacts(image, stamp);
  const hashes = [{ alg: hashName(index.manifestDigest), content: digestHex(index.manifestDigest) }];
  const references = [...addressesOf(facts), ...referenceTo("documentation", facts.documentation)];
  const layers = index.coverage.layers.map(({ digest }) => property("layer", digest));
  return {
    "bom-ref": imageReference,
    type: isFolder ? "file" : "container",
    supplier: organizationOf(facts.supplier),
    authors: facts.authors.length === 0 ? undefined : facts.authors.map(contactOf),
    name: reference,
    version: index.manifestDigest,
    description: facts.description,
    hashes,
    licenses: facts.license === undefined ? undefined : licensesOf({ licenses: [{ text: facts.license }] }, version),
    purl: isFolder ? undefined : imagePurl(image),
    externalReferences: references.length === 0 ? undefined : references,
    properties: [
      ...(platform === undefined ? [] : [property("platform", formatPlatform(platform))]),
      ...(config?.createdAt === undefined ? [] : [property("created", new Date(config.createdAt).toISOString())]),
      ...(facts.version === undefined ? [] : [property("version", facts.version)]),
      ...(facts.revision === undefined ? [] : [property("revision", facts.revision)]),
      ...layers,
    ],
  };
}

function hashName(digest: string): string {
  return digest.startsWith("sha256:") ? "SHA-256" : "SHA-512";
}

/** A property in Plimsoll's namespace. */
export function property(name: string, value: string): object {
  return { name: `${toolName}:${name}`, value };
}

function systemReference({ id }: Pick<Distribution, "id">): string {
  return `distribution-${id}`;
}

function operatingSystemOf(distribution: Distribution): object {
  const { did, name, versionId, prettyName } = distribution;
  const cpe = formattedCpe(distribution.cpe);
  return {
    "bom-ref": systemReference(distribution),
    type: "operating-system",
    supplier: name === undefined ? undefined : { name },
    name: did ?? name ?? "unnamed",
    version: versionId,
    description: prettyName,
    cpe,
  };
}

/** A package as a component of a document. */
export function cycloneDxComponent(
  component: Component,
  references: References,
  version: CycloneDxVersion = "1.6",
): object {
  const { package: found, group, name, purl, derivedCpe, cpe = derivedCpe, locations } = component;
  return {
    "bom-ref": references.of(component),
    type: component.details?.file?.kind === "program" ? "application" : "library",
    scope: component.isForDevelopment ? "excluded" : undefined,
    group,
    name,
    ...versionOf(found),
    ...described(component, version),
    cpe,
    purl,
    evidence: locations.length > 0 ? { occurrences: locations.map(occurrenceOf) } : undefined,
    properties: [
      ...(found.arch === undefined ? [] : [property("architecture", found.arch)]),
      ...(found.module === undefined ? [] : [property("module", found.module)]),
      ...(derivedCpe === undefined ? [] : [property("cpe", "derived")]),
      ...(component.system === undefined ? [] : [property("distribution", component.system)]),
      ...component.owners.map((owner) => property("distribution-package", owner)),
      ...(component.thirdParty === undefined ? [] : [property("third-party", component.thirdParty)]),
      ...(component.mainModule === undefined ? [] : [property("main-module", component.mainModule)]),
      ...component.namePatterns.map((pattern) => property("name-pattern", pattern)),
      ...component.unstated.map((fact) => property("unstated", fact)),
      ...licenseProperties(component),
      ...fileProperties(component),
      ...(found.source === undefined
        ? []
        : [property("source-package", found.source.name), property("source-version", found.source.version)]),
    ],
  };
}

/** A file of packages, beside them and not in one of them, because several may have it. Syft writes files so, too. */
function fileComponent({ path, layer, digests, packageIds }: FileOfPackages, references: References): object {
  const hashes = digests.map(({ algorithm, hex }) => ({ alg: algorithm.replace("SHA", "SHA-"), content: hex }));
  return {
    type: "file",
    name: `/${path}`,
    hashes: hashes.length === 0 ? undefined : hashes,
    properties: [
      ...packageIds.flatMap((id) => references.ofPackage(id)).map((ref) => property("package", ref)),
      property("layer", layer),
    ],
  };
}

/** Members for what the record of a package says, and for its file. */
function described(component: Component, version: CycloneDxVersion): object {
  const { details = {} } = component;
  const { originator, authors = [], description } = details;
  const supplier = supplierOf(details);
  const references = [...addressesOf(details), ...fileReferences(component)];
  return {
    supplier: organizationOf(supplier),
    manufacturer: organizationOf(makerOf(details)),
    authors: authors.length === 0 ? undefined : authors.map(partyOf).map(contactOf),
    publisher: originator,
    copyright: details.copyright,
    description,
    hashes: details.file === undefined ? undefined : hashesOf(details.file),
    licenses: licensesOf(details, version),
    externalReferences: references.length === 0 ? undefined : references,
  };
}

/** Who made a package; without an address of its own, that of its home page, as BSI TR-03183-2 has it. */
function makerOf({ supplier, originator, authors: [author] = [], homepage }: PackageDetails): Party | undefined {
  const text = originator ?? author ?? supplier;
  const url = pageOf(homepage);
  if (text === undefined) return url === undefined ? undefined : { name: url, url };
  const maker = partyOf(text);
  return maker.email === undefined ? { url, ...maker } : maker;
}

function contactOf({ name, email }: Party): object {
  return { name, email };
}

function organizationOf(party: Party | undefined): object | undefined {
  if (party === undefined) return undefined;
  const { name, email, url } = party;
  return {
    name,
    url: url === undefined ? undefined : [url],
    contact: email === undefined ? undefined : [{ name, email }],
  };
}

function hashesOf({ sha256, sha512 }: PackageFile): readonly object[] {
  return [
    { alg: "SHA-256", content: sha256 },
    { alg: "SHA-512", content: sha512 },
  ];
}

/** The file of a package where it is in the image. BSI TR-03183-2 wants its digests here. */
function fileReferences(component: Component): readonly object[] {
  const file = deliveredFile(component)?.content;
  const path = component.locations[0]?.path;
  if (file === undefined || path === undefined) return [];
  const url = `file:///${path.toWellFormed().split("/").map(encodeURIComponent).join("/")}`;
  return [{ type: "distribution", url, comment: "in the image", hashes: hashesOf(file) }];
}

/** @see https://github.com/BSI-Bund/tr-03183-cyclonedx-property-taxonomy */
function fileProperties(component: Component): readonly object[] {
  const file = deliveredFile(component);
  if (file === undefined) return [];
  const properties = {
    filename: file.name,
    executable: file.isExecutable ? "executable" : "non-executable",
    archive: file.isArchive ? "archive" : "no archive",
    structured: file.isArchive ? "structured" : "unstructured",
  };
  return Object.entries(properties).map(([name, value]) => ({ name: `bsi:component:${name}`, value }));
}

type Acknowledgement = "concluded" | "declared";

/**
 * What is declared, and that it is concluded where all of it is on the SPDX list: nothing in the image says otherwise. Before 1.7 an expression can stand only once; it is then the
 * concluded one.
 * @see https://cyclonedx.org/docs/1.7/json/#components_items_licenses
 */
function licensesOf(details: PackageDetails, version: CycloneDxVersion): readonly object[] | undefined {
  const summary = summarizeLicenses(details);
  if (summary === undefined) return undefined;
  const { expression, references } = summary;
  const [only] = references;
  if (only !== undefined && only.id === expression) {
    return [{ license: { name: only.statement.text, acknowledgement: "declared" } }];
  }
  if (only !== undefined) return [licenseOf(expression, "declared")];
  const concluded = licenseOf(expression, "concluded");
  return isIdentifier(expression) || version === "1.7" ? [licenseOf(expression, "declared"), concluded] : [concluded];
}

/** Characters that XML does not have, or that readers leave out. */
const unwritable = /[\p{Cc}\p{Cf}\p{Cs}]/u;

/** What references to licences stand for, where the words of the licence alone do not say it. */
function licenseProperties({ details = {} }: Component): readonly object[] {
  const { expression, references = [] } = summarizeLicenses(details) ?? {};
  return references.flatMap(({ id, statement: { text } }) => {
    const isKnown =
      expression === id ? summarizeLicenses({ licenses: [{ text }] })?.expression === id : id === `LicenseRef-${text}`;
    return isKnown && !unwritable.test(text) ? [] : [property("license-reference", `${id} ${text}`)];
  });
}

function isIdentifier(expression: string): boolean {
  return !/ |\+$|^LicenseRef-/.test(expression);
}

function licenseOf(expression: string, acknowledgement: Acknowledgement): object {
  return isIdentifier(expression) ? { license: { id: expression, acknowledgement } } : { expression, acknowledgement };
}

/** The addresses of a package or image. */
type Addresses = Pick<PackageDetails, "homepage" | "sourceAddress" | "downloadAddress">;

function addressesOf({ homepage, sourceAddress, downloadAddress }: Addresses): readonly object[] {
  return [
    ...referenceTo("website", pageOf(homepage)),
    ...referenceTo(isRepository(sourceAddress ?? "") ? "vcs" : "source-distribution", sourceAddress),
    ...referenceTo(isRepository(downloadAddress ?? "") ? "vcs" : "distribution", downloadAddress),
  ];
}

function referenceTo(type: string, text: string | undefined): readonly object[] {
  const url = addressOf(text);
  return url === undefined ? [] : [{ type, url }];
}

function occurrenceOf({ path, layer }: Component["locations"][number]): object {
  return { location: path, additionalContext: layer === undefined ? undefined : `layer ${layer}` };
}
