/**
 * SPDX 3.0.1 in JSON-LD: what our documents of SPDX 2.3 say, as elements of a graph, with what SPDX 2.3 has no members for.
 *
 * @see https://spdx.github.io/spdx-spec/v3.0.1/
 */
import { dependencyGraph, partyOf } from "@plimsoll/core/internal";
import { listBill } from "./components.ts";
import { contentUuid } from "./content-uuid.ts";
import { listStatus } from "./coverage-sentences.ts";
import { addressPart, imageFacts } from "./image-facts.ts";
import { type DeliveredFile, deliveredFile } from "./package-files.ts";
import { type DocumentStamp, type ReportedImage, toolName } from "./reported-image.ts";
import {
  packageId,
  packageIdsIn,
  type SpdxDocument,
  type SpdxFile,
  type SpdxPackage,
  spdxDocument,
  unknownSha1,
  unnamedOf,
} from "./spdx.ts";

/**
 * Formats the bill of materials of an image as an SPDX 3.0.1 document. The addresses of its elements are derived from its content.
 *
 * @example
 * declare const report: ScanReport;
 * JSON.stringify(toSpdx3(report, { toolVersion: "1.0.0", createdAt: Date.now() }));
 */
export function toSpdx3(image: ReportedImage, stamp: DocumentStamp): object {
  const source = sourceOf(image, stamp);
  const unnamed = { ...source, document: { ...unnamedOf(source.document, { image, stamp }), name: "" } };
  const uuid = contentUuid(new Graph(unnamed, "").elements());
  return {
    "@context": "https://spdx.org/rdf/3.0.1/spdx-context.jsonld",
    "@graph": new Graph(source, `https://spdx.org/spdxdocs/${addressPart(image)}-${uuid}#`).elements(),
  };
}

/** What the elements are made of. */
interface Source {
  readonly document: SpdxDocument;
  readonly toolVersion: string;
  readonly isPartial: boolean;
  /** The files by which packages are delivered, by the id of the package. */
  readonly files: ReadonlyMap<string, DeliveredFile>;
  /** The web addresses of organizations by their names. */
  readonly urls: ReadonlyMap<string, string>;
  /** The ids of packages that need something which is not in the image, and of those of which it is not known what they need. */
  readonly incomplete: ReadonlySet<string>;
  readonly unknown: ReadonlySet<string>;
  /** The ids of packages on which all others hang. */
  readonly roots: readonly string[];
}

function sourceOf(image: ReportedImage, stamp: DocumentStamp): Source {
  const components = listBill(image.index);
  const ids = Object.keys(image.index.packages);
  const { roots = ids, incomplete = [], unknown = ids } = dependencyGraph(image.index) ?? {};
  const idsOf = packageIdsIn(components);
  const { supplier } = imageFacts(image, stamp);
  const parties = [...(stamp.authors ?? []).map(partyOf), supplier ?? []].flat();
  return {
    document: spdxDocument(image, stamp),
    toolVersion: stamp.toolVersion,
    isPartial: listStatus(image) === "partial",
    files: new Map(
      components.flatMap((each) => {
        const file = deliveredFile(each);
        return file === undefined ? [] : [[packageId(each.id), file] as const];
      }),
    ),
    urls: new Map(parties.flatMap(({ name, url }) => (url === undefined ? [] : [[name, url] as const]))),
    incomplete: new Set(incomplete.flatMap(idsOf)),
    unknown: new Set(unknown.flatMap(idsOf)),
    roots: roots.flatMap(idsOf),
  };
}

type Element = Readonly<Record<string, unknown>> & { readonly type: string };

const unknownText = "NOASSERTION";
const creation = "_:creation";
/** Known text; `NOASSERTION` is an absent member in SPDX 3. */
const known = (text: string | undefined) => (text === unknownText ? undefined : text);

/** The elements of one document. Agents and licences are added when others refer to them. */
class Graph {
  readonly #source: Source;
  readonly #namespace: string;
  readonly #elements: Element[] = [];
  /** The addresses of agents and licences, by what they are. */
  readonly #shared = new Map<string, string>();

  constructor(source: Source, namespace: string) {
    this.#source = source;
    this.#namespace = namespace;
  }

  elements(): readonly Element[] {
    const { document, isPartial, roots } = this.#source;
    const [image, ...packages] = document.packages;
    if (image === undefined) return [];
    const authors = document.creationInfo.creators.filter((each) => !each.startsWith("Tool:"));
    const tool = this.#add("Tool", "Tool", { name: `${toolName}-${this.#source.toolVersion}` });
    const program = authors.length > 0 ? [] : [this.#add("SoftwareAgent", "Program", { name: toolName })];
    const createdBy = [...authors.map((each) => this.#agent(each)), ...program];
    for (const each of document.packages) this.#package(each);
    for (const each of document.files ?? []) this.#listedFile(each);
    const contents = packages.map(({ SPDXID }) => SPDXID);
    const completeness = isPartial ? "incomplete" : "complete";
    this.#relate({ type: "contains", from: image.SPDXID, to: contents, completeness });
    const systems = contents.filter((id) => id.includes("-Distribution-"));
    this.#relate({ type: "dependsOn", from: image.SPDXID, to: [...systems, ...roots], completeness });
    this.#relations(image.SPDXID);
    const bill = this.#bill(image);
    const { created, comment } = document.creationInfo;
    const info = { type: "CreationInfo", "@id": creation, specVersion: "3.0.1", created, comment };
    return [{ ...info, createdBy, createdUsing: [tool] }, this.#document(bill), ...this.#elements];
  }

  #bill(image: SpdxPackage): string {
    return this.#add("software_Sbom", "Bill", {
      rootElement: [this.#at(image.SPDXID)],
      software_sbomType: ["analyzed"],
      profileConformance: profiles,
    });
  }

  #document(bill: string): Element {
    const { SPDXID, name, comment, annotations = [] } = this.#source.document;
    const dataLicense = this.#license("CC0-1.0");
    for (const each of annotations) this.#annotate(SPDXID, each.comment);
    const { SPDXID: image = "" } = this.#source.document.packages[0] ?? {};
    this.#relate({ type: "describes", from: SPDXID, to: [image] });
    const members = { name, comment, dataLicense, rootElement: [bill], profileConformance: profiles };
    return { type: "SpdxDocument", spdxId: this.#at(SPDXID), creationInfo: creation, ...members };
  }

  #package(found: SpdxPackage): void {
    const { SPDXID, supplier, originator, checksums, externalRefs, annotations = [] } = found;
    const [suppliedBy, maker] = [known(supplier), known(originator)];
    this.#add("software_Package", SPDXID, {
      name: found.name,
      summary: found.summary,
      description: found.description,
      comment: found.comment,
      suppliedBy: suppliedBy && this.#agent(suppliedBy),
      originatedBy: (maker ?? suppliedBy) && [this.#agent(maker ?? suppliedBy ?? "")],
      verifiedUsing: checksums?.map(hashOf),
      externalIdentifier: externalRefs?.map(({ referenceType, referenceLocator, comment }) => ({
        type: "ExternalIdentifier",
        externalIdentifierType: referenceType === "purl" ? "packageUrl" : "cpe23",
        identifier: referenceLocator,
        comment,
      })),
      software_packageVersion: found.versionInfo,
      software_primaryPurpose: purposeOf(found.primaryPackagePurpose ?? "LIBRARY"),
      software_homePage: found.homepage,
      software_downloadLocation: known(found.downloadLocation),
      software_sourceInfo: found.sourceInfo,
      software_copyrightText: known(found.copyrightText),
    });
    this.#licenses(found);
    this.#file(SPDXID);
    for (const each of annotations) this.#annotate(SPDXID, each.comment);
  }

  #licenses({ SPDXID, licenseDeclared, licenseConcluded }: SpdxPackage): void {
    const stated = { hasDeclaredLicense: licenseDeclared, hasConcludedLicense: licenseConcluded };
    for (const [type, expression] of Object.entries(stated)) {
      if (known(expression) !== undefined) {
        this.#relateTo({ type, from: SPDXID, to: [this.#license(expression ?? "")] });
      }
    }
  }

  #file(id: string): void {
    const file = this.#source.files.get(id);
    if (file === undefined) return;
    const { content, isArchive, isExecutable } = file;
    const digests = content && [
      hashOf({ algorithm: "SHA256", checksumValue: content.sha256 }),
      hashOf({ algorithm: "SHA512", checksumValue: content.sha512 }),
    ];
    const at = this.#add("software_File", `${id}-File`, {
      name: file.name,
      verifiedUsing: digests,
      software_primaryPurpose: isExecutable ? "executable" : "archive",
      software_additionalPurpose: [
        ...(isExecutable ? ["executable"] : []),
        ...(isArchive ? ["archive", "container"] : []), // BSI TR-03183-2 calls a structured archive a container
      ],
    });
    this.#relateTo({ type: "hasDistributionArtifact", from: id, to: [at] });
  }

  #listedFile({ SPDXID, fileName, checksums, comment }: SpdxFile): void {
    const stated = checksums.filter(({ checksumValue }) => checksumValue !== unknownSha1);
    this.#add("software_File", SPDXID, {
      name: fileName.slice(1),
      comment: comment.split(".", 1)[0],
      verifiedUsing: stated.length === 0 ? undefined : stated.map(hashOf),
    });
  }

  /** What packages need, and which package of the distribution has the files of another. */
  #relations(image: string): void {
    const { relationships } = this.#source.document;
    const own = relationships.filter(
      ({ spdxElementId: from, relationshipType: type }) => from !== image && type !== "DESCRIBES",
    );
    const bySource = Map.groupBy(own, ({ spdxElementId, relationshipType }) => `${relationshipType} ${spdxElementId}`);
    for (const { SPDXID } of this.#source.document.packages.slice(1)) {
      if (!bySource.has(`DEPENDS_ON ${SPDXID}`)) this.#needsNothing(SPDXID);
    }
    for (const [first, ...others] of bySource.values()) {
      if (first === undefined) continue;
      const { spdxElementId: from, relationshipType } = first;
      const to = [first, ...others].map(({ relatedSpdxElement }) => relatedSpdxElement);
      if (relationshipType === "CONTAINS") this.#relate({ type: "contains", from, to });
      else this.#relate({ type: "dependsOn", from, to, completeness: this.#completenessOf(from) });
    }
  }

  /** A package that needs nothing in the image, so far as that is known. */
  #needsNothing(id: string): void {
    const completeness = id.includes("-Distribution-") ? "noAssertion" : this.#completenessOf(id);
    const element = completeness === "complete" ? "NoneElement" : "NoAssertionElement";
    const to = [`https://spdx.org/rdf/3.0.1/terms/Core/${element}`];
    this.#relateTo({ type: "dependsOn", from: id, to, completeness });
  }

  #completenessOf(id: string): Completeness {
    const { incomplete, unknown } = this.#source;
    if (incomplete.has(id)) return "incomplete";
    return unknown.has(id) ? "noAssertion" : "complete";
  }

  /** Relates elements of the document, by their ids. */
  #relate(relation: Relation): void {
    this.#relateTo({ ...relation, to: relation.to.map((id) => this.#at(id)) });
  }

  /** @param to addresses, not ids */
  #relateTo({ type: relationshipType, from, to, completeness }: Relation): void {
    if (to.length === 0) return;
    const members = { relationshipType, from: this.#at(from), to, completeness };
    this.#add("Relationship", `Relationship-${this.#elements.length}`, members);
  }

  #annotate(subject: string, statement: string): void {
    this.#add("Annotation", `Annotation-${this.#elements.length}`, {
      annotationType: "other",
      subject: this.#at(subject),
      statement,
    });
  }

  /** Who `Organization: Name (mail)` or `Person: …` is. */
  #agent(text: string): string {
    return this.#once(`agent ${text}`, () => {
      const colon = text.indexOf(": ");
      const [type, whole] = [text.slice(0, colon), text.slice(colon + 2)];
      const open = whole.endsWith(")") ? whole.lastIndexOf(" (") : -1;
      const inner = open < 0 ? "" : whole.slice(open + 2, -1);
      const [name, email] = inner.includes("@") ? [whole.slice(0, open), inner] : [whole, undefined];
      const url = this.#source.urls.get(name);
      const identifiers = { email, urlScheme: url };
      const known = Object.entries(identifiers).flatMap(([externalIdentifierType, identifier]) =>
        identifier === undefined ? [] : [{ type: "ExternalIdentifier", externalIdentifierType, identifier }],
      );
      return this.#add(type, `Agent-${this.#shared.size}`, {
        name,
        externalIdentifier: known.length === 0 ? undefined : known,
      });
    });
  }

  #license(expression: string): string {
    return this.#once(`license ${expression}`, () => {
      const own = this.#source.document.hasExtractedLicensingInfos ?? [];
      const named = own.filter(({ licenseId }) => expression.split(/[ ()]+/).includes(licenseId));
      const texts = named.map(({ licenseId, extractedText, name }) => ({
        type: "DictionaryEntry",
        key: licenseId,
        value: this.#licenseText(licenseId, { name, simplelicensing_licenseText: extractedText }),
      }));
      return this.#add("simplelicensing_LicenseExpression", `License-${this.#shared.size}`, {
        simplelicensing_licenseExpression: expression,
        simplelicensing_customIdToUri: texts.length === 0 ? undefined : texts,
      });
    });
  }

  #licenseText(id: string, members: object): string {
    return this.#once(`text ${id}`, () => this.#add("simplelicensing_SimpleLicensingText", id, members));
  }

  #once(key: string, add: () => string): string {
    const at = this.#shared.get(key) ?? add();
    this.#shared.set(key, at);
    return at;
  }

  /** Returns the address of the element. */
  #add(type: string, id: string, members: object): string {
    const spdxId = this.#at(id);
    this.#elements.push({ type, spdxId, creationInfo: creation, ...members });
    return spdxId;
  }

  #at(id: string): string {
    return `${this.#namespace}${id.replace("SPDXRef-", "")}`;
  }
}

interface Relation {
  readonly type: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly completeness?: Completeness;
}

type Completeness = "complete" | "incomplete" | "noAssertion";

const profiles = ["core", "software", "simpleLicensing"];

function hashOf({ algorithm, checksumValue }: { readonly algorithm: string; readonly checksumValue: string }): object {
  return { type: "Hash", algorithm: algorithm.toLowerCase(), hashValue: checksumValue };
}

/** `OPERATING_SYSTEM` is `operatingSystem`. */
function purposeOf(purpose: string): string {
  return purpose.toLowerCase().replace(/_([a-z])/, (_, letter: string) => letter.toUpperCase());
}
