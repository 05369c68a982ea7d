/**
 * SPDX 3 in JSON-LD, as a document in the form of SPDX 2 ({@link "./spdx.ts"}).
 *
 * ```
 * { "@context", "@graph": [element] }
 * element = { type: "software_Package", spdxId, name, originatedBy?: [id], suppliedBy?: id, software_packageVersion?, software_packageUrl?, software_primaryPurpose?,
 *             software_sourceInfo?, description?, externalIdentifier?: [{ externalIdentifierType: "packageUrl" | "cpe23", identifier }] }
 *         | { type: "Relationship", from, to: [id], relationshipType, completeness?: "incomplete" | "complete" | "noAssertion", comment? }
 *         | { type: "Annotation", subject, statement }
 *         | { type: "SpdxDocument" | "software_Sbom", spdxId, name, rootElement: [id], import?: [{ externalSpdxId }], comment? } | { type: "Tool", name, … } | …
 * ```
 * @see https://spdx.github.io/spdx-spec/v3.0.1/
 */
import { type JsonObject, objectsOf, textOf } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";
import { isPackagePurl } from "./component.ts";

/** Whether a document is SPDX 3. */
export function isSpdx3(document: JsonObject): boolean {
  return Array.isArray(document["@graph"]);
}

/** The document in the form of SPDX 2. Names of classes and properties may have the prefix of their profile. */
export function spdx2Of(document: JsonObject): JsonObject {
  const ofType = elementsOf(document);
  const [whole] = ofType("SpdxDocument");
  const agents = agentsOf(ofType);
  const licensesOf = licensesFor(ofType);
  const bySubject = Map.groupBy(ofType("Annotation"), ({ subject }) => textOf(subject));
  const annotationsOf = (...elements: readonly JsonObject[]) =>
    elements
      .flatMap((each) => bySubject.get(idOf(each)) ?? [])
      .map(({ statement }) => ({ comment: textOf(statement) }));
  return {
    spdxVersion: "SPDX-2.3",
    name: textOf(whole?.name),
    comment: textOf(whole?.comment),
    annotations: annotationsOf(...collectionsOf(ofType)),
    documentDescribes: rootsOf(collectionsOf(ofType)),
    creationInfo: {
      creators: [...ofType("Tool"), ...ofType("SoftwareAgent")].map(({ name }) => `Tool: ${textOf(name)}`),
    },
    packages: packagesIn(ofType).map((each) => ({
      ...packageOf(each),
      originator: textsOf(each.originatedBy).map((id) => agents.get(id) ?? "")[0] ?? "",
      supplier: agents.get(textOf(each.suppliedBy)) ?? "",
      annotations: annotationsOf(each),
      ...licensesOf(each),
    })),
    relationships: relationshipsIn(ofType).flatMap(relationshipsOf),
    hasExtractedLicensingInfos: licenseTextsIn(ofType),
    externalDocumentRefs: importedParts(ofType).map((id) => ({ externalDocumentId: id })),
  };
}

/**
 * The id of the relationship that says that not all is listed of what the document is about. Others are about single packages, or about what
 * depends on what.
 * @see https://spdx.github.io/spdx-spec/v3.0.1/model/Core/Vocabularies/RelationshipCompleteness/
 */
export function incompleteIn(document: JsonObject): string | undefined {
  const ofType = elementsOf(document);
  const subjects = new Set(collectionsOf(ofType).flatMap((each) => [idOf(each), ...textsOf(each.rootElement)]));
  const found = relationshipsIn(ofType).find(
    ({ from, relationshipType, completeness }) =>
      lastWord(textOf(completeness)) === "incomplete" &&
      toParts.has(lastWord(textOf(relationshipType))) &&
      subjects.has(textOf(from)),
  );
  return found && (idOf(found) || "@graph");
}

/** Types of relationships from something to its parts. */
const toParts: ReadonlySet<string> = new Set(["contains", "describes"]);

/** What the document and the bills of materials in it are about. The root of the document may be one of these, as Yocto writes it. */
function rootsOf(collections: readonly JsonObject[]): readonly string[] {
  const own = new Set(collections.map(idOf));
  return collections.flatMap(({ rootElement }) => textsOf(rootElement)).filter((id) => !own.has(id));
}

/** The ids of elements in other documents that the subject has, or that its packages need. Documents also refer to licences and tools elsewhere. */
function importedParts(ofType: ElementsOfType): readonly string[] {
  const imported = ofType("SpdxDocument").flatMap((each) => objectsOf(each.import));
  if (imported.length === 0) return [];
  const collections = collectionsOf(ofType);
  const here = new Set([...collections, ...packagesIn(ofType)].map(idOf)); // and not what was needed by a build
  const parts = relationshipsIn(ofType).filter(
    ({ from, relationshipType }) => here.has(textOf(from)) && toPackages.has(lastWord(textOf(relationshipType))),
  );
  const named = new Set([...parts.flatMap(({ to }) => textsOf(to)), ...rootsOf(collections)]);
  return imported.map(({ externalSpdxId }) => textOf(externalSpdxId)).filter((id) => named.has(id));
}

/** Types of relationships to packages that are there at run time. */
const toPackages: ReadonlySet<string> = new Set([
  ...["contains", "dependsOn", "describes"],
  ...["hasDynamicLink", "hasOptionalComponent", "hasPrerequisite", "hasProvidedDependency", "hasStaticLink"],
]);

type ElementsOfType = (type: string) => readonly JsonObject[];

function elementsOf(document: JsonObject): ElementsOfType {
  const byType = Map.groupBy(objectsOf(document["@graph"]), ({ type, "@type": other }) =>
    lastWord(textOf(type) || textOf(other)),
  );
  return (type) => byType.get(type) ?? [];
}

/** The packages, of any profile, and files that have the package URL of one. */
function packagesIn(ofType: ElementsOfType): readonly JsonObject[] {
  const files = ofType("File").filter((each) =>
    objectsOf(packageOf(each).externalRefs).some(({ referenceLocator }) => isPackagePurl(textOf(referenceLocator))),
  );
  return [...["Package", "AIPackage", "DatasetPackage"].flatMap(ofType), ...files];
}

/** The document, and the bill of materials in it. */
function collectionsOf(ofType: ElementsOfType): readonly JsonObject[] {
  return ["SpdxDocument", "Sbom", "Bom"].flatMap(ofType);
}

function relationshipsIn(ofType: ElementsOfType): readonly JsonObject[] {
  return ["Relationship", "LifecycleScopedRelationship"].flatMap(ofType);
}

/** `Package` of `software_Package`, of `software:Package` and of `https://spdx.org/rdf/3.0.1/terms/Software/Package`. */
function lastWord(type: string): string {
  return type.split(/[_:/#]/).at(-1) ?? "";
}

function packageOf(element: JsonObject): JsonObject {
  const own = (name: string) => textOf(element[`software_${name}`]) || textOf(element[name]);
  return {
    SPDXID: idOf(element),
    name: textOf(element.name),
    versionInfo: own("packageVersion"),
    description: textOf(element.description),
    summary: textOf(element.summary),
    copyrightText: own("copyrightText"),
    homepage: own("homePage"),
    sourceInfo: own("sourceInfo"),
    primaryPackagePurpose: upperCase(lastWord(own("primaryPurpose")), "-"),
    externalRefs: referencesOf(element, own("packageUrl")),
  };
}

/** Who made or supplied something, as SPDX 2 writes it: `Organization: Docker (support@docker.com)`. */
function agentsOf(ofType: ElementsOfType): ReadonlyMap<string, string> {
  const all = (["Organization", "Person"] as const).flatMap((kind) =>
    ofType(kind).map((agent) => {
      const address = objectsOf(agent.externalIdentifier).find(
        ({ externalIdentifierType: type }) => lastWord(textOf(type)) === "email",
      );
      const reached = address === undefined ? "" : ` (${textOf(address.identifier)})`;
      return [idOf(agent), `${kind}: ${textOf(agent.name)}${reached}`] as const;
    }),
  );
  return new Map(all);
}

function idOf({ spdxId, "@id": id }: JsonObject): string {
  return textOf(spdxId) || textOf(id);
}

/** `operatingSystem` is `OPERATING-SYSTEM` in SPDX 2, and `dependsOn` is `DEPENDS_ON`. */
function upperCase(word: string, between: "-" | "_"): string {
  return word.replaceAll(/(?<=[a-z])(?=[A-Z])/g, between).toUpperCase();
}

function referencesOf({ externalIdentifier }: JsonObject, purl: string): readonly JsonObject[] {
  const listed = objectsOf(externalIdentifier).map(({ externalIdentifierType, identifier, comment }) => ({
    referenceType: referenceTypes.get(lastWord(textOf(externalIdentifierType))) ?? "",
    referenceLocator: textOf(identifier),
    comment: textOf(comment),
  }));
  return purl === "" ? listed : [{ referenceType: "purl", referenceLocator: purl }, ...listed];
}

const referenceTypes: ReadonlyMap<string, string> = new Map([
  ["packageUrl", "purl"],
  ["cpe23", "cpe23Type"],
  ["cpe22", "cpe22Type"],
]);

function textsOf(list: Json | undefined): readonly string[] {
  return Array.isArray(list) ? (list as readonly Json[]).map(textOf) : [textOf(list)].filter(Boolean);
}

/** What the references in licence expressions stand for. */
function licenseTextsIn(ofType: ElementsOfType): readonly JsonObject[] {
  const texts = ["SimpleLicensingText", "CustomLicense", "CustomLicenseAddition"].flatMap(ofType);
  const byId = new Map(texts.map((each) => [idOf(each), each] as const));
  const own = (each: JsonObject | undefined, name: string) =>
    textOf(each?.[`simplelicensing_${name}`]) || textOf(each?.[name]);
  return ofType("LicenseExpression").flatMap((each) =>
    objectsOf(each.simplelicensing_customIdToUri ?? each.customIdToUri).map(({ key, value }) => {
      const text = byId.get(textOf(value));
      return { licenseId: textOf(key), name: textOf(text?.name), extractedText: own(text, "licenseText") };
    }),
  );
}

/** Sets of licences that are nested deeper are left out. */
const maxSets = 8;

/** Makes the function that gives the expression with an id. The profile ExpandedLicensing has an element for each part of one. */
function licenseExpressions(ofType: ElementsOfType): (id: string, depth: number) => string {
  const own = (each: JsonObject, profile: string, name: string) => each[`${profile}_${name}`] ?? each[name];
  const written = new Map(
    ofType("LicenseExpression").map((each) => [idOf(each), textOf(own(each, "simplelicensing", "licenseExpression"))]),
  );
  const customs = new Map(ofType("CustomLicense").map((each) => [idOf(each), textOf(each.name)] as const));
  const sets = new Map(
    (["ConjunctiveLicenseSet", "DisjunctiveLicenseSet"] as const).flatMap((type) =>
      ofType(type).map((each) => [
        idOf(each),
        {
          joint: type === "ConjunctiveLicenseSet" ? " AND " : " OR ",
          members: textsOf(own(each, "expandedlicensing", "member")),
        },
      ]),
    ),
  );
  const expressionOf = (id: string, depth: number): string => {
    const set = sets.get(id);
    if (set === undefined || depth >= maxSets)
      return (
        written.get(id) ?? customs.get(id) ?? /^https?:\/\/spdx\.org\/licenses\/([\w.+-]{1,64})$/.exec(id)?.[1] ?? ""
      );
    const members = set.members.map((each) => expressionOf(each, depth + 1));
    if (members.includes("")) return ""; // a part does not say what the whole is
    return members.map((each) => (/ (?:AND|OR) /.test(each) ? `(${each})` : each)).join(set.joint);
  };
  return expressionOf;
}

/** Makes the function that gives the licences of a package as members of SPDX 2. */
function licensesFor(ofType: ElementsOfType): (found: JsonObject) => JsonObject {
  const expressionOf = licenseExpressions(ofType);
  const stated = relationshipsIn(ofType).filter(({ relationshipType }) => /License$/.test(textOf(relationshipType)));
  const byPackage = Map.groupBy(stated, ({ from }) => textOf(from));
  const licenseOf = (found: JsonObject, type: string) =>
    (byPackage.get(idOf(found)) ?? [])
      .filter(({ relationshipType }) => lastWord(textOf(relationshipType)) === type)
      .flatMap(({ to }) => textsOf(to).map((id) => expressionOf(id, 0)))[0] ?? "";
  return (found) => ({
    licenseDeclared: licenseOf(found, "hasDeclaredLicense"),
    licenseConcluded: licenseOf(found, "hasConcludedLicense"),
  });
}

/** A relationship to nothing, which says that there is nothing else. */
const noElement = /(?:^|[/#:])NoneElement$/;

function relationshipsOf({ from, to, relationshipType, comment, completeness }: JsonObject): readonly JsonObject[] {
  const type = upperCase(lastWord(textOf(relationshipType)), "_");
  return textsOf(to).map((target) => ({
    spdxElementId: textOf(from),
    relatedSpdxElement: noElement.test(target) ? "NONE" : target,
    relationshipType: type,
    comment: textOf(comment),
    completeness: lastWord(textOf(completeness)),
  }));
}
