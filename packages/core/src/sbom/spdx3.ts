/**
 * SPDX 3 in JSON-LD, as a document in the form of SPDX 2 ({@link "./spdx.ts"}).
 *
 * ```
 * { "@context", "@graph": [element] }
 * element = { type: "software_Package", spdxId, name, software_packageVersion?, software_packageUrl?, software_primaryPurpose?,
 *             software_sourceInfo?, description?, externalIdentifier?: [{ externalIdentifierType: "packageUrl" | "cpe23", identifier }] }
 *         | { type: "Relationship", from, to: [id], relationshipType, comment? }
 *         | { type: "SpdxDocument", name, … } | { type: "Tool", name, … } | …
 * ```
 * @see https://spdx.github.io/spdx-spec/v3.0.1/
 */
import { type JsonObject, objectsOf, textOf } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";

/** Whether a document is SPDX 3. */
export function isSpdx3(document: JsonObject): boolean {
  return Array.isArray(document["@graph"]);
}

/** The document in the form of SPDX 2. Names of classes and properties may have the prefix of their profile. */
export function spdx2Of(document: JsonObject): JsonObject {
  const byType = Map.groupBy(objectsOf(document["@graph"]), ({ type, "@type": other }) =>
    lastWord(textOf(type) || textOf(other)),
  );
  const ofType = (type: string) => byType.get(type) ?? [];
  const relationships = [...ofType("Relationship"), ...ofType("LifecycleScopedRelationship")];
  return {
    spdxVersion: "SPDX-2.3",
    name: textOf(ofType("SpdxDocument")[0]?.name),
    documentDescribes: textsOf(ofType("SpdxDocument")[0]?.rootElement),
    creationInfo: {
      creators: [...ofType("Tool"), ...ofType("SoftwareAgent")].map(({ name }) => `Tool: ${textOf(name)}`),
    },
    packages: ofType("Package").map(packageOf),
    relationships: relationships.flatMap(relationshipsOf),
  };
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
    sourceInfo: own("sourceInfo"),
    primaryPackagePurpose: purposeOf(own("primaryPurpose")),
    externalRefs: referencesOf(element, own("packageUrl")),
  };
}

function idOf({ spdxId, "@id": id }: JsonObject): string {
  return textOf(spdxId) || textOf(id);
}

/** `operatingSystem` is `OPERATING-SYSTEM` in SPDX 2. */
function purposeOf(purpose: string): string {
  return lastWord(purpose)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-")
    .toUpperCase();
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

function relationshipsOf({ from, to, relationshipType, comment }: JsonObject): readonly JsonObject[] {
  const type = lastWord(textOf(relationshipType)) === "contains" ? "CONTAINS" : "OTHER";
  return textsOf(to).map((target) => ({
    spdxElementId: textOf(from),
    relatedSpdxElement: target,
    relationshipType: type,
    comment: textOf(comment),
  }));
}
