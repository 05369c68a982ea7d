/**
 * SPDX 2.3 in JSON.
 *
 * @see https://spdx.github.io/spdx-spec/v2.3/
 */
import type { Distribution, IndexReport } from "@plimsoll/core";
import type { Cpe } from "@plimsoll/core/cpe";
import { digestHex } from "@plimsoll/core/digest";
import {
  addressOf,
  gapProperties,
  isArchive,
  isRepository,
  type LicenseSummary,
  type Party,
  pageOf,
  partyOf,
  type SbomProperty,
  summarizeLicenses,
  supplierOf,
} from "@plimsoll/core/internal";
import type { Purl } from "@plimsoll/core/purl";
import { type Component, formattedCpe, listBill } from "./components.ts";
import { contentUuid } from "./content-uuid.ts";
import { coverageSentences, listStatus } from "./coverage-sentences.ts";
import { addressPart, imageFacts, imagePurl, withoutName } from "./image-facts.ts";
import { deliveredFile, type FileOfPackages, filesOfPackages } from "./package-files.ts";
import { type DocumentStamp, type ReportedImage, toolName } from "./reported-image.ts";

const documentId = "SPDXRef-DOCUMENT";
const imageId = "SPDXRef-Image";
const unknown = "NOASSERTION";

/** How and when in the life of the software a document was made, for forms without a member for that. */
export const generationContext = "Analyzed: made from the finished image, after its build.";

/**
 * Formats the bill of materials of an image as an SPDX 2.3 document. Its namespace is derived from its content.
 *
 * @example
 * declare const report: ScanReport;
 * JSON.stringify(toSpdx(report, { toolVersion: "1.0.0", createdAt: Date.now() }));
 */
export function toSpdx(image: ReportedImage, stamp: DocumentStamp): object {
  return spdxDocument(image, stamp);
}

/** A document as SPDX 2.3 has it. */
export interface SpdxDocument {
  readonly spdxVersion: string;
  readonly dataLicense: string;
  readonly SPDXID: string;
  readonly documentNamespace: string;
  readonly name: string;
  readonly creationInfo: { readonly created: string; readonly creators: readonly string[]; readonly comment: string };
  readonly comment: string;
  readonly annotations?: readonly Annotation[];
  /** The image is the first. */
  readonly packages: readonly SpdxPackage[];
  readonly files?: readonly SpdxFile[];
  readonly hasExtractedLicensingInfos?: readonly {
    readonly licenseId: string;
    readonly extractedText: string;
    readonly name: string;
  }[];
  readonly relationships: readonly SpdxRelationship[];
}

/** A file of packages. */
export interface SpdxFile {
  readonly SPDXID: string;
  /** `./usr/bin/env` */
  readonly fileName: string;
  /** SPDX 2.3 requires SHA-1: of a file of which it is not known, it is {@link unknownSha1}. */
  readonly checksums: readonly { readonly algorithm: string; readonly checksumValue: string }[];
  readonly licenseConcluded: string;
  readonly copyrightText: string;
  readonly comment: string;
}

/** No digest, but what other tools write for one that is not known, too. */
export const unknownSha1 = "0".repeat(40);

interface Annotation {
  readonly comment: string;
}

interface SpdxRelationship {
  readonly spdxElementId: string;
  readonly relationshipType: "CONTAINS" | "DEPENDS_ON" | "DESCRIBES";
  readonly relatedSpdxElement: string;
}

/** A package of a document; `NOASSERTION` for what is not known. */
export interface SpdxPackage {
  readonly SPDXID: string;
  readonly name: string;
  readonly versionInfo?: string;
  readonly primaryPackagePurpose?: string;
  readonly supplier?: string;
  readonly originator?: string;
  readonly checksums?: readonly { readonly algorithm: string; readonly checksumValue: string }[];
  readonly licenseDeclared?: string;
  readonly licenseConcluded?: string;
  readonly licenseComments?: string;
  readonly copyrightText?: string;
  readonly downloadLocation?: string;
  readonly packageFileName?: string;
  readonly homepage?: string;
  readonly sourceInfo?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly comment?: string;
  readonly externalRefs?: readonly ExternalReference[];
  readonly annotations?: readonly Annotation[];
}

interface ExternalReference {
  readonly referenceCategory: "PACKAGE-MANAGER" | "SECURITY";
  readonly referenceType: "purl" | "cpe23Type";
  readonly referenceLocator: string;
  readonly comment?: string;
}

/** As {@link toSpdx}, for forms that are made of it. */
export function spdxDocument(image: ReportedImage, stamp: DocumentStamp): SpdxDocument {
  const { index, reference } = image;
  const { toolVersion, createdAt, authors = [] } = stamp;
  const systems = Object.values(index.distributions).map(operatingSystemOf);
  const listed = listBill(index);
  const components = listed.map((component) => packageOf(component, stamp));
  const idsOf = packageIdsIn(listed);
  const files = filesOfPackages(listed);
  const contents = [...systems, ...components].map(
    ({ SPDXID }): SpdxRelationship => ({
      spdxElementId: imageId,
      relationshipType: "CONTAINS",
      relatedSpdxElement: SPDXID,
    }),
  );
  const sentences = coverageSentences(image, createdAt);
  const content = {
    creationInfo: {
      created: timeOf(stamp),
      creators: [
        ...authors.map((author) => partyText("Organization", partyOf(author))),
        `Tool: ${toolName}-${toolVersion}`,
      ],
      comment: generationContext,
    },
    comment: [`Coverage: ${listStatus(image)}.`, ...sentences].join("\n"),
    ...annotations(gapProperties(index.coverage), stamp),
    packages: [imagePackage(image, stamp), ...systems, ...components],
    files: files.length === 0 ? undefined : files.map(fileOf),
    ...extractedLicenses(listed),
    relationships: [
      { spdxElementId: documentId, relationshipType: "DESCRIBES" as const, relatedSpdxElement: imageId },
      ...contents,
      ...ownerships(listed),
      ...dependenciesIn(index, idsOf),
      ...files.flatMap(({ packageIds }, at) => packageIds.flatMap(idsOf).map((id) => contained(id, fileId(at)))),
    ],
  };
  return {
    spdxVersion: "SPDX-2.3",
    dataLicense: "CC0-1.0",
    SPDXID: documentId,
    name: reference,
    documentNamespace: `https://spdx.org/spdxdocs/${addressPart(image)}-${contentUuid(unnamedOf(content, { image, stamp }))}`,
    ...content,
  };
}

/** What a document says, with the image, its first package, under no name. */
export function unnamedOf<Content extends Pick<SpdxDocument, "packages">>(
  content: Content,
  { image, stamp }: { readonly image: ReportedImage; readonly stamp: DocumentStamp },
): Content {
  return { ...content, packages: [imagePackage(withoutName(image), stamp), ...content.packages.slice(1)] };
}

function contained(spdxElementId: string, relatedSpdxElement: string): SpdxRelationship {
  return { spdxElementId, relationshipType: "CONTAINS", relatedSpdxElement };
}

/** The id of a file, by its place among the files. */
function fileId(at: number): string {
  return `SPDXRef-File-${at}`;
}

function fileOf({ path, layer, digests }: FileOfPackages, at: number): SpdxFile {
  const stated = digests.map(({ algorithm, hex }) => ({ algorithm, checksumValue: hex }));
  const hasSha1 = digests.some(({ algorithm }) => algorithm === "SHA1");
  return {
    SPDXID: fileId(at),
    fileName: `./${path}`,
    checksums: hasSha1 ? stated : [{ algorithm: "SHA1", checksumValue: unknownSha1 }, ...stated],
    licenseConcluded: unknown,
    copyrightText: unknown,
    comment: `In layer ${layer}.${hasSha1 ? "" : " Its SHA-1 digest is not known."}`,
  };
}

/** SPDX has no times with fractions of seconds. */
function timeOf({ createdAt }: DocumentStamp): string {
  return `${new Date(createdAt).toISOString().slice(0, 19)}Z`;
}

/** Facts for which SPDX has no member, as annotations in the form `name: value`; none without facts. */
function annotations(
  properties: readonly SbomProperty[],
  stamp: DocumentStamp,
): { readonly annotations?: readonly Annotation[] } {
  if (properties.length === 0) return {};
  return {
    annotations: properties.map(({ name, value }) => ({
      annotationDate: timeOf(stamp),
      annotationType: "OTHER",
      annotator: `Tool: ${toolName}-${stamp.toolVersion}`,
      comment: `${name}: ${value}`,
    })),
  };
}

function dependenciesIn({ dependencies = {} }: IndexReport, idsOf: PackageIds): readonly SpdxRelationship[] {
  return Object.entries(dependencies).flatMap(([id, { packageIds }]) => {
    const others = packageIds.flatMap(idsOf);
    return idsOf(id).flatMap((spdxElementId) =>
      others.map((relatedSpdxElement) => ({ spdxElementId, relationshipType: "DEPENDS_ON", relatedSpdxElement })),
    );
  });
}

/** Packages of the distribution that own the files of others. */
function ownerships(components: readonly Component[]): readonly SpdxRelationship[] {
  const ownerName = (name: string, { distribution }: Component) => `${distribution?.id} ${name}`;
  const owners = new Map(
    components
      .filter(({ isOfDistribution }) => isOfDistribution)
      .map((each) => [ownerName(each.package.name, each), each]),
  );
  return components.flatMap((component) =>
    component.owners.flatMap((name) => {
      const owning = owners.get(ownerName(name, component));
      if (owning === undefined) return [];
      const [spdxElementId, relatedSpdxElement] = [packageId(owning.id), packageId(component.id)];
      return [{ spdxElementId, relationshipType: "CONTAINS", relatedSpdxElement }];
    }),
  );
}

/** Members for what is not known. */
const notKnown = {
  supplier: unknown,
  downloadLocation: unknown,
  filesAnalyzed: false,
  licenseConcluded: unknown,
  licenseDeclared: unknown,
  copyrightText: unknown,
} as const;

function imagePackage(image: ReportedImage, stamp: DocumentStamp): SpdxPackage {
  const { reference, index } = image;
  const { manifestDigest } = index;
  const facts = imageFacts(image, stamp);
  const {
    supplier,
    authors: [author],
    homepage,
    sourceAddress,
    license = unknown,
    description,
    version,
    revision,
  } = facts;
  const algorithm = manifestDigest.startsWith("sha256:") ? "SHA256" : "SHA512";
  const layers = index.coverage.layers.map(({ digest }) => digest);
  const sources = [version && `version ${version}`, sourceAddress, revision && `commit ${revision}`].filter(Boolean);
  const described = {
    name: reference,
    versionInfo: manifestDigest,
    primaryPackagePurpose: image.isFolder ? "FILE" : "CONTAINER",
    checksums: [{ algorithm, checksumValue: digestHex(manifestDigest) }],
    comment: `Layers, base first: ${layers.join(", ")}`,
    originator: author && partyText("Organization", author),
    homepage,
    sourceInfo: sources.length === 0 ? undefined : sources.join("; "),
    summary: description,
    ...externalReferences({ purl: image.isFolder ? undefined : imagePurl(image) }),
  };
  return {
    SPDXID: imageId,
    ...notKnown,
    ...described,
    supplier: supplier === undefined ? unknown : partyText("Organization", supplier),
    ...licenseMembers(license === undefined ? undefined : { expression: license, references: [] }),
  };
}

function operatingSystemOf(distribution: Distribution): SpdxPackage {
  const { id, did, name, versionId, prettyName } = distribution;
  const described = {
    name: did ?? name ?? "unnamed",
    versionInfo: versionId,
    primaryPackagePurpose: "OPERATING_SYSTEM",
    description: prettyName,
    ...externalReferences({ cpe: formattedCpe(distribution.cpe) }),
  };
  const supplier = name === undefined ? unknown : partyText("Organization", { name });
  return { SPDXID: `SPDXRef-Distribution-${spdxId(id)}`, ...described, ...notKnown, supplier };
}

function packageOf(component: Component, stamp: DocumentStamp): SpdxPackage {
  const {
    package: found,
    purl,
    cpe,
    derivedCpe,
    locations,
    thirdParty,
    mainModule,
    namePatterns,
    unstated,
    isForDevelopment,
  } = component;
  const facts = [
    ...(component.system === undefined ? [] : [{ name: `${toolName}:distribution`, value: component.system }]),
    ...(thirdParty === undefined ? [] : [{ name: `${toolName}:third-party`, value: thirdParty }]),
    ...(mainModule === undefined ? [] : [{ name: `${toolName}:main-module`, value: mainModule }]),
    ...namePatterns.map((pattern) => ({ name: `${toolName}:name-pattern`, value: pattern })),
    ...(isForDevelopment ? [{ name: `${toolName}:development`, value: "true" }] : []),
    ...unstated.map((fact) => ({ name: `${toolName}:unstated`, value: fact })),
  ];
  const described = {
    name: found.name,
    versionInfo: found.version || undefined,
    sourceInfo: locations.length > 0 ? locations.map(locationText).join("; ") : undefined,
    ...externalReferences({ purl, cpe, derivedCpe }),
    ...annotations(facts, stamp),
  };
  const analyzed = component.files === undefined ? {} : { filesAnalyzed: true };
  return { SPDXID: packageId(component.id), ...described, ...notKnown, ...analyzed, ...statedMembers(component) };
}

/** Members for what the record of a package says, and for its file. */
function statedMembers(component: Component): Partial<SpdxPackage> {
  const { details = {} } = component;
  const { supplier, originator, authors: [author] = [], homepage, sourceAddress, downloadAddress } = details;
  const maker = originator ?? author;
  const file = deliveredFile(component);
  const responsible = supplierOf(details);
  return {
    packageFileName: file?.name,
    primaryPackagePurpose: file?.isExecutable === true ? "APPLICATION" : "LIBRARY",
    checksums: file?.content && [
      { algorithm: "SHA256", checksumValue: file.content.sha256 },
      { algorithm: "SHA512", checksumValue: file.content.sha512 },
    ],
    supplier:
      responsible === undefined ? unknown : partyText(supplier === undefined ? "Person" : "Organization", responsible),
    originator: maker && partyText(supplier === maker ? "Organization" : "Person", partyOf(maker)),
    homepage: pageOf(homepage),
    downloadLocation: addressOf(downloadAddress) ?? placeOfSource(sourceAddress) ?? unknown,
    ...licenseMembers(summarizeLicenses(details)),
    copyrightText: details.copyright ?? unknown,
    summary: details.description,
  };
}

/** A page about the sources is no place to download from. */
function placeOfSource(text: string | undefined): string | undefined {
  const address = addressOf(text);
  return address !== undefined && (isRepository(address) || isArchive(address)) ? address : undefined;
}

/** What is declared is concluded where all of it is on the SPDX list: nothing in the image says otherwise. */
function licenseMembers(summary: Pick<LicenseSummary, "expression" | "references"> | undefined): Partial<SpdxPackage> {
  if (summary === undefined) return {};
  const { expression, references } = summary;
  if (references.length > 0) return { licenseDeclared: expression };
  return {
    licenseDeclared: expression,
    licenseConcluded: expression,
    licenseComments: "Concluded from what the package declares.",
  };
}

function partyText(kind: "Organization" | "Person", { name, email }: Party): string {
  return email === undefined ? `${kind}: ${name}` : `${kind}: ${name} (${email})`;
}

/** Licences that are not on the SPDX list, with what the packages say. */
function extractedLicenses(components: readonly Component[]): Pick<SpdxDocument, "hasExtractedLicensingInfos"> {
  const byId = new Map(
    components.flatMap(({ details = {} }) =>
      (summarizeLicenses(details)?.references ?? []).map(({ id, statement }) => [id, statement.text] as const),
    ),
  );
  if (byId.size === 0) return {};
  return {
    hasExtractedLicensingInfos: [...byId].map(([licenseId, text]) => ({
      licenseId,
      extractedText: `The package states: ${text}`,
      name: text,
    })),
  };
}

/** The ids of the components of a package, by its id in the report. */
export type PackageIds = (id: string) => readonly string[];

/** Finds the components of packages in a document. */
export function packageIdsIn(components: readonly Component[]): PackageIds {
  const byPackage = Map.groupBy(components, (each) => each.package.id);
  return (id) => (byPackage.get(id) ?? []).map((each) => packageId(each.id));
}

/** The id of a component in a document. */
export function packageId(id: string): string {
  return `SPDXRef-Package-${spdxId(id)}`;
}

/** Ids are decimal numbers in Plimsoll's own reports, but any text in others. */
function spdxId(id: string): string {
  return id.replace(/[^A-Za-z0-9.-]/g, (character) => `-${character.charCodeAt(0).toString(16)}-`);
}

function locationText({ path, layer }: Component["locations"][number]): string {
  return layer === undefined ? path : `${path} in layer ${layer}`;
}

interface References {
  readonly purl?: Purl | undefined;
  readonly cpe?: Cpe | undefined;
  readonly derivedCpe?: Cpe | undefined;
}

function externalReferences({ purl, cpe, derivedCpe }: References): Pick<SpdxPackage, "externalRefs"> {
  const ofCpe = { referenceCategory: "SECURITY", referenceType: "cpe23Type" } as const;
  const ofPurl = { referenceCategory: "PACKAGE-MANAGER", referenceType: "purl" } as const;
  const externalRefs = [
    ...(purl === undefined ? [] : [{ ...ofPurl, referenceLocator: purl }]),
    ...(cpe === undefined ? [] : [{ ...ofCpe, referenceLocator: cpe }]),
    ...(derivedCpe === undefined ? [] : [{ ...ofCpe, referenceLocator: derivedCpe, comment: "derived" }]),
  ];
  return externalRefs.length === 0 ? {} : { externalRefs };
}
