/** Parts of the subject of a document whose packages the document does not list. */
import { type JsonObject, memberOf, objectsOf, textOf } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";
import { isPackagePurl } from "./component.ts";

/** Something that a document names as the place of packages that it does not list itself. */
export interface UnlistedPart {
  readonly kind: "document" | "file" | "image" | "package";
  /** The reference to the other document, the name of the image or of the first of the files, or the package URL. */
  readonly at: string;
}

/**
 * The references of components that have others of a document of CycloneDX below them, in its tree of dependencies.
 * @see https://cyclonedx.org/docs/1.6/json/#dependencies
 */
export function parentReferences({ dependencies }: JsonObject): ReadonlySet<string> {
  const parents = objectsOf(dependencies).filter(({ dependsOn }) => hasItems(dependsOn));
  return new Set(parents.map(({ ref }) => textOf(ref)));
}

/**
 * What a document of CycloneDX names but does not list: other documents, images, and packages that others depend on.
 * @param components all of it, without the subject
 * @see https://cyclonedx.org/capabilities/bomlink/
 */
export function unlistedInCycloneDx(document: JsonObject, components: readonly JsonObject[]): readonly UnlistedPart[] {
  const subject = memberOf(document.metadata, "component");
  const aboutAll = [document.externalReferences, memberOf(subject, "externalReferences")].flatMap(bomReferences);
  const listed = components.filter(({ scope }) => scope !== "excluded");
  const documents = [
    ...aboutAll.filter((url) => url.startsWith("urn:cdx:")), // another address may be the document's own
    ...listed.flatMap(({ externalReferences }) => bomReferences(externalReferences)),
  ];
  const own = textOf(document.serialNumber).replace("urn:uuid:", "urn:cdx:");
  const others = new Set(documents.filter((url) => own === "" || !url.startsWith(`${own}/`)));
  const images = listed.filter((each) => isImage(each) && !isSame(each, subject));
  const parents = parentReferences(document);
  const empty = images.filter((each) => !hasItems(each.components) && !parents.has(textOf(each["bom-ref"])));
  return [
    ...[...others].map(ofDocument),
    ...empty.map((each) => ofImage(textOf(each.purl) || nameOf(each))),
    ...unlistedPackages(document, [subject ?? null, ...components]),
  ];
}

/** Package URLs in the tree of dependencies that are no component, whatever their qualifiers: tools write references with and without these, and decoded. */
function unlistedPackages({ dependencies }: JsonObject, components: readonly Json[]): readonly UnlistedPart[] {
  const needed = objectsOf(dependencies).flatMap(({ dependsOn }) =>
    Array.isArray(dependsOn) ? (dependsOn as readonly Json[]).map(textOf) : [],
  );
  const byName = new Map(needed.filter(isPackagePurl).map((purl) => [plainPurl(purl), purl]));
  if (byName.size === 0) return [];
  for (const each of components)
    for (const name of ["bom-ref", "purl"]) byName.delete(plainPurl(textOf(memberOf(each, name))));
  return Array.from(byName.values(), (at) => ({ kind: "package", at }));
}

/** A package URL without qualifiers, in one form for comparison. */
function plainPurl(purl: string): string {
  const [plain = ""] = purl.split(/[?#]/, 1);
  return plain.replaceAll(/%(40|2[bBfF]|3[aA])/g, (escaped) => decodeURIComponent(escaped)).toLowerCase();
}

function bomReferences(externalReferences: Json | undefined): readonly string[] {
  return objectsOf(externalReferences).flatMap(({ type, url }) => (type === "bom" ? [textOf(url)] : []));
}

/** Whether a component of CycloneDX is the image of a container. */
export function isImage({ type, purl }: JsonObject): boolean {
  return type === "container" || isImagePurl(textOf(purl));
}

/** The subject may be listed among the components, too. */
function isSame(component: JsonObject, subject: Json | undefined): boolean {
  const same = (name: string) => textOf(component[name]) === textOf(memberOf(subject, name));
  return textOf(component.purl) === "" ? same("name") && same("version") : same("purl");
}

function nameOf({ name, version }: JsonObject): string {
  return [name, version].map(textOf).filter(Boolean).join(" ");
}

/** The types of relationships of SPDX 2 from what has others in it, from the base of an image, and from what builds it. */
const fromKnown: ReadonlySet<string> = new Set([
  ...["CONTAINS", "DEPENDS_ON", "ANCESTOR_OF"],
  ...["BUILD_DEPENDENCY_OF", "BUILD_TOOL_OF", "DEV_TOOL_OF", "TEST_TOOL_OF"],
]);
/** The same in the other direction. */
const toKnown: ReadonlySet<string> = new Set(["CONTAINED_BY", "DEPENDENCY_OF", "DESCENDANT_OF", "GENERATED_FROM"]);

/**
 * What a document of SPDX names but does not list: other documents, and images.
 * @param described the ids of what it is about
 */
export function unlistedInSpdx(document: JsonObject, described: ReadonlySet<string>): readonly UnlistedPart[] {
  const documents = objectsOf(document.externalDocumentRefs).map((each) => textOf(each.externalDocumentId));
  const images = objectsOf(document.packages).filter(isSpdxImage);
  const known = new Set(images.length === 0 ? [] : knownIn(objectsOf(document.relationships)));
  const isSubject = ({ SPDXID: id }: JsonObject) =>
    described.size === 0 ? images.length === 1 : described.size === 1 && described.has(textOf(id));
  const empty = images.filter((each) => !known.has(textOf(each.SPDXID)) && !isSubject(each));
  return [...documents.map(ofDocument), ...empty.map((each) => ofImage(purlOf(each) || textOf(each.name)))];
}

/** The ids of images whose packages are listed, or are not the subject's own: those of its base are in it, those of what builds it are not. */
function knownIn(relationships: readonly JsonObject[]): readonly string[] {
  return relationships.flatMap(({ spdxElementId: from, relatedSpdxElement: to, relationshipType: type }) => {
    if (fromKnown.has(textOf(type))) return [textOf(from)];
    return toKnown.has(textOf(type)) ? [textOf(to)] : [];
  });
}

/** Whether a package of SPDX is the image of a container. */
export function isSpdxImage(found: JsonObject): boolean {
  return found.primaryPackagePurpose === "CONTAINER" || isImagePurl(purlOf(found));
}

function purlOf({ externalRefs }: JsonObject): string {
  const reference = objectsOf(externalRefs).find(({ referenceType }) => textOf(referenceType).endsWith("purl"));
  return textOf(reference?.referenceLocator);
}

/** An image, and not one of its layers, which apko lists, too. */
function isImagePurl(purl: string): boolean {
  const [, mediaType = ""] = purl.split("mediaType=", 2);
  return /^pkg:\/*(?:oci|docker)\//i.test(purl) && !mediaType.includes("layer");
}

function ofDocument(at: string): UnlistedPart {
  return { kind: "document", at };
}

function ofImage(at: string): UnlistedPart {
  return { kind: "image", at };
}

function hasItems(list: Json | undefined): boolean {
  return Array.isArray(list) && list.length > 0;
}
