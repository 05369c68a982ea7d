/**
 * SPDX 2 in JSON.
 *
 * ```
 * { spdxVersion: "SPDX-2.3", name, packages: [package], externalDocumentRefs?: [{ externalDocumentId }], files?: [{ SPDXID, fileName }], relationships?: […], comment?, annotations?: [{ comment }] }
 * package = { SPDXID, name, versionInfo?, primaryPackagePurpose?, sourceInfo?, originator?, supplier?,
 *             externalRefs?: [{ referenceType: "purl" | "cpe23Type", referenceLocator }] }
 * ```
 * @see https://spdx.github.io/spdx-spec/v2.3/
 */
import { ScanError } from "../errors.ts";
import type { Distribution } from "../model/distribution.ts";
import { type JsonObject, memberOf, objectsOf, textOf } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";
import { isKnownPurlType } from "../model/purl-record.ts";
import { sbomTools } from "../model/sbom-tools.ts";
import { type Entry, entriesOf, type SbomReading } from "./collect.ts";
import { isPackagePurl, purlType } from "./component.ts";
import { parentsOf, withOwners } from "./owners.ts";
import { type StatedNeeds, type StatedReferences, spdxDetails, spdxLicenseNames, spdxNeeds } from "./stated-bill.ts";
import { type Properties, propertiesByName, statedFacts } from "./stated-facts.ts";
import { gapSentence, type SbomProperty, type StatedWhole, statedGaps } from "./stated-gaps.ts";
import { statedText } from "./stated-text.ts";
import { makerOfAgent } from "./third-party.ts";
import { isSpdxImage, type UnlistedPart, unlistedInSpdx } from "./unlisted-parts.ts";
import { distributionTypes } from "./unstated-facts.ts";

/** Whether a document is SPDX of this form. */
export function isSpdx(document: JsonObject): boolean {
  return textOf(document.spdxVersion).startsWith("SPDX-");
}

/**
 * Reads a document.
 * @param incompleteAt the place of a statement that it is incomplete, in a form that has one
 * @throws ScanError `malformed_sbom` if its version is not 2
 */
export function readSpdx(document: JsonObject, incompleteAt?: string): SbomReading {
  const version = textOf(document.spdxVersion);
  if (!version.startsWith("SPDX-2.")) throw new ScanError("malformed_sbom", `expected SPDX 2, found ${version}`);
  const all = entriesOf(document.packages);
  const systems = all.filter((found) => purposeOf(found) === "OPERATING-SYSTEM").map(distributionOf);
  const [distribution] = systems;
  const name = textOf(document.name);
  const tools = textsOf(memberOf(document.creationInfo, "creators")).filter((creator) => creator.startsWith("Tool:"));
  const relationships = objectsOf(document.relationships);
  const described = describedIn(document);
  const subject = described.size === 1 && all.length > 1 ? described : [];
  const others = new Set([...subject, ...sourceCodeOf(relationships), ...groupsIn(all, relationships)]);
  const isOther = (found: JsonObject) => others.has(textOf(found.SPDXID)) || isPlaceOfPackages(found, tools);
  const isOurs = tools.some((tool) => sbomTools.plimsoll.named.test(tool));
  const gaps = statedGaps({
    ...(isOurs ? ownWhole(document, incompleteAt) : { incompleteAt, properties: [] }),
    unlisted: [...unlistedInSpdx(document, described), ...filesAlone(document, all)],
  });
  return {
    format: "SPDX",
    gaps,
    subject:
      name !== ""
        ? { name, isFolder: all.some((each) => described.has(textOf(each.SPDXID)) && isNoImage(each)) || undefined }
        : undefined,
    distribution,
    systems: systems.filter((each) => each !== undefined),
    tools,
    entries: all
      .entries()
      .filter(([, found]) => isPackage(found) && (isIdentified(found) || !isOther(found)))
      .flatMap(
        entriesOfPackage({
          files: filesOf(document, relationships),
          licenses: { names: spdxLicenseNames(document), isOurs },
          needs: spdxNeeds(relationships, elementsOf(document)),
        }),
      ),
    finish: (packages) => withOwners(packages, ownersOf(relationships)),
  };
}

function isNoImage(found: JsonObject): boolean {
  return purposeOf(found) !== "" && !isSpdxImage(found);
}

/** A document that has files and no package does not say which packages they are of. */
function filesAlone({ files }: JsonObject, packages: readonly JsonObject[]): readonly UnlistedPart[] {
  const [first] = packages.length === 0 ? objectsOf(files) : [];
  return first === undefined ? [] : [{ kind: "file", at: textOf(first.fileName) || "files" }];
}

/** What a document of Plimsoll says about all of its subject, in annotations and in its comment. SPDX 2 has no member for it. */
function ownWhole(
  { comment, annotations }: JsonObject,
  incompleteAt: string | undefined,
): Omit<StatedWhole, "unlisted"> {
  const [coverage, ...sentences] = textOf(comment).split("\n");
  return {
    incompleteAt: incompleteAt ?? (coverage === "Coverage: partial." ? "comment" : undefined),
    properties: [...propertiesIn(annotations), ...sentences.map(gapSentence)],
  };
}

function textsOf(list: Json | undefined): readonly string[] {
  return Array.isArray(list) ? (list as readonly Json[]).map(textOf) : [];
}

/** Whether advisories can be found for an entry: by a package URL of a known type, or a CPE name. */
function isIdentified(found: JsonObject): boolean {
  return objectsOf(found.externalRefs).some(({ referenceType, referenceLocator }) => {
    if (!textOf(referenceType).endsWith("purl")) return textOf(referenceType).startsWith("cpe");
    return isKnownPurlType(purlType(textOf(referenceLocator)));
  });
}

/** Whether an entry is a lock file or another place of packages, which Trivy lists beside the packages in it. */
function isPlaceOfPackages(found: JsonObject, tools: readonly string[]): boolean {
  if (factsBeside(found).has("aquasecurity:trivy:Class")) return true;
  return purposeOf(found) === "APPLICATION" && tools.some((tool) => sbomTools.trivy.named.test(tool));
}

const documentId = "SPDXRef-DOCUMENT";

/** The entries that the document is about: an image, a folder, a repository of source code. */
function describedIn(document: JsonObject): ReadonlySet<string> {
  const stated = objectsOf(document.relationships).flatMap(
    ({ spdxElementId: from, relationshipType: type, relatedSpdxElement: to }) => {
      if (type === "DESCRIBES" && from === documentId) return [textOf(to)];
      return type === "DESCRIBED_BY" && to === documentId ? [textOf(from)] : [];
    },
  );
  return new Set([...textsOf(document.documentDescribes), ...stated]);
}

/** Source code, and descriptions of builds, as apko lists them beside the packages made from them. */
function sourceCodeOf(relationships: readonly JsonObject[]): readonly string[] {
  return relationships.flatMap(({ relationshipType: type, relatedSpdxElement: to }) =>
    type === "GENERATED_FROM" || (type === "DESCRIBED_BY" && to !== documentId) ? [textOf(to)] : [],
  );
}

/** Entries without a version that contain others, such as the layers that Kubernetes' bom lists between the image and its packages. */
function groupsIn(all: readonly JsonObject[], relationships: readonly JsonObject[]): readonly string[] {
  const ids = new Set(all.map(({ SPDXID }) => textOf(SPDXID)));
  const holders = new Set(
    relationships.flatMap(({ spdxElementId: from, relationshipType: type, relatedSpdxElement: to }) =>
      type === "CONTAINS" && ids.has(textOf(to)) ? [textOf(from)] : [],
    ),
  );
  return all
    .filter((each) => versionOf(each) === "" && holders.has(textOf(each.SPDXID)))
    .map(({ SPDXID }) => textOf(SPDXID));
}

function versionOf({ versionInfo }: JsonObject): string {
  return statedText(versionInfo);
}

/** We write that the package of a distribution contains another; Syft has a comment for it. */
function ownersOf(relationships: readonly JsonObject[]): ReadonlyMap<string, readonly string[]> {
  const owning = relationships.filter(
    ({ relationshipType, comment }) =>
      relationshipType === "CONTAINS" || textOf(comment).startsWith("ownership-by-file-overlap"),
  );
  return parentsOf(owning.map((each) => [textOf(each.spdxElementId), textOf(each.relatedSpdxElement)]));
}

/**
 * Whether an entry is an installed package, by its purpose: the image itself is none, nor are files and source packages. Code of a language is what its
 * package URL says, and an image or a file may be a package by its package URL. What else advisories may be about by its package URL or CPE name is a package, too.
 */
function isPackage(found: JsonObject): boolean {
  const purpose = purposeOf(found);
  if (purpose === "OPERATING-SYSTEM") return false;
  if (!otherPurposes.has(purpose)) return true;
  const locators = objectsOf(found.externalRefs).map(({ referenceLocator }) => textOf(referenceLocator));
  const types = locators.filter(isPackagePurl).map(purlType);
  if (purpose === "SOURCE") return types.some((type) => !distributionTypes.includes(type));
  if (types.length > 0 || purpose === "CONTAINER") return types.length > 0;
  return locators.some((each) => /^(?:pkg|cpe):/i.test(each) && (purpose !== "FILE" || purlType(each) !== "generic"));
}

const otherPurposes: ReadonlySet<string> = new Set(["CONTAINER", "DEVICE", "FILE", "SOURCE"]);

/** The specification writes a hyphen, its JSON schema an underscore. */
function purposeOf(found: JsonObject): string {
  return textOf(found.primaryPackagePurpose).replaceAll("_", "-");
}

/** The files of a package that are kept; those of a distribution have thousands. */
const mostFiles = 10;

/** The files that packages contain, by the packages: where Trivy writes the places of packages. */
function filesOf({ files }: JsonObject, relationships: readonly JsonObject[]): ReadonlyMap<string, readonly string[]> {
  const names = new Map(objectsOf(files).map(({ SPDXID, fileName }) => [textOf(SPDXID), textOf(fileName)] as const));
  const found = new Map<string, string[]>();
  if (names.size === 0) return found;
  for (const { spdxElementId: from, relationshipType, relatedSpdxElement: to } of relationships) {
    const name = relationshipType === "CONTAINS" ? names.get(textOf(to)) : undefined;
    if (name === undefined) continue;
    const known = found.get(textOf(from));
    if (known === undefined) found.set(textOf(from), [name]);
    else if (known.length < mostFiles) known.push(name);
  }
  return found;
}

/** The ids of all elements; undefined for a document in another form, of which not all elements are here. */
function elementsOf({ SPDXID, packages, files, snippets }: JsonObject): ReadonlySet<string> | undefined {
  if (textOf(SPDXID) === "") return undefined;
  return new Set([
    textOf(SPDXID),
    ...[packages, files, snippets].flatMap(objectsOf).map((each) => textOf(each.SPDXID)),
  ]);
}

/** What a document says about packages outside of their entries. */
interface WholeDocument {
  /** The files of packages, by their ids. */
  readonly files: ReadonlyMap<string, readonly string[]>;
  /** Those that are not on the SPDX list. */
  readonly licenses: StatedReferences;
  readonly needs: ReadonlyMap<string, StatedNeeds>;
}

/**
 * Each package URL of an entry that is that of a package is one, with the first of its qualifiers: Red Hat repeats a package for each of its repositories.
 * Without any, the entry has one package.
 */
const entriesOfPackage =
  ({ files, licenses, needs }: WholeDocument) =>
  ([index, found]: readonly [number, JsonObject]): readonly Entry[] => {
    const stated = locationsOf(textOf(found.sourceInfo));
    const references = objectsOf(found.externalRefs).filter(({ comment }) => comment !== "derived"); // Plimsoll's own guess proves nothing
    const locators = (type: string) =>
      references
        .filter(({ referenceType }) => textOf(referenceType).endsWith(type))
        .map(({ referenceLocator }) => statedText(referenceLocator))
        .filter((locator) => locator !== "");
    const purls = locators("purl");
    const built = builtFrom.exec(textOf(found.sourceInfo));
    const source = { name: built?.[1] ?? "", version: built?.[2] ?? "" };
    const packages = Map.groupBy(purls.filter(isPackagePurl), (purl) => purl.split(/[?#]/, 1)[0]);
    const [first = purls[0] ?? "", ...others] = [...packages.values()].flatMap((each) => each.slice(0, 1));
    const entryOf = (purl: string): Entry => ({
      at: `packages[${index}]`,
      component: {
        reference: textOf(found.SPDXID),
        name: textOf(found.name),
        version: versionOf(found),
        purl,
        cpe: purl === first ? (locators("cpe23Type")[0] ?? "") : "",
        ...statedFacts(factsBeside(found)),
        ...(built !== null && { source }),
        maker: makerOf(found),
        locations:
          stated.length > 0
            ? stated
            : (files.get(textOf(found.SPDXID)) ?? []).map((path) => path.replace(/^\.?\/+/, "")),
        details: spdxDetails(found, licenses),
        needs: needs.get(textOf(found.SPDXID)),
      },
    });
    return [entryOf(first), ...others.map(entryOf)];
  };

/** Who made a package comes before who supplied it. */
function makerOf({ originator, supplier }: JsonObject): string {
  return [originator, supplier].map((agent) => makerOfAgent(textOf(agent))).find((maker) => maker !== "") ?? "";
}

/** The only place where Trivy writes the source package. */
const builtFrom = /^built package from: (\S+) (\S+)$/;

/**
 * What Plimsoll and Trivy write as annotations, and Trivy earlier as texts of attribution: `plimsoll:third-party: docker`,
 * `Modularitylabel: perl:5.30`.
 */
function factsBeside({ annotations, attributionTexts }: JsonObject): Properties {
  const facts = [...propertiesIn(annotations), ...textsOf(attributionTexts).flatMap((text) => propertyIn(text) ?? [])];
  return propertiesByName(
    facts.map(({ name, value }) => [name.includes(":") ? name : `aquasecurity:trivy:${name}`, value] as const),
  );
}

function propertiesIn(annotations: Json | undefined): readonly SbomProperty[] {
  return objectsOf(annotations).flatMap(({ comment }) => propertyIn(textOf(comment)) ?? []);
}

function propertyIn(text: string): SbomProperty | undefined {
  const [, name, value] = /^(plimsoll:\S+?|[A-Za-z]+): (.+)$/s.exec(text) ?? [];
  return name === undefined || value === undefined ? undefined : { name, value };
}

/**
 * Syft writes `acquired package info from RPM DB: /var/lib/rpm/rpmdb.sqlite`, OSV-SCALIBR `Identified by the python/wheelegg extractor from
 * usr/lib/x`, Trivy `package found in: app/yarn.lock`, Plimsoll `usr/lib/x in layer sha256:…`.
 */
function locationsOf(sourceInfo: string): readonly string[] {
  const [, acquired] = foundBy.exec(sourceInfo) ?? [];
  if (acquired !== undefined) return acquired.split(/, | and /).map((path) => path.replace(/^\/+/, ""));
  return sourceInfo.split("; ").flatMap((part) => {
    const at = part.lastIndexOf(" in layer ");
    return at > 0 ? [part.slice(0, at)] : [];
  });
}

const foundBy =
  /^(?:acquired package info from [^:]*: |package found in: |Identified by the \S+ extractor from (?:\d+ locations, including )?)(.+)$/;

function distributionOf(found: JsonObject): Omit<Distribution, "id"> | undefined {
  const [did, versionId] = [textOf(found.name).toLowerCase(), versionOf(found)];
  if (did === "") return undefined;
  const prettyName = statedText(found.description);
  return {
    did,
    versionId: versionId || undefined,
    prettyName: prettyName || undefined,
  };
}
