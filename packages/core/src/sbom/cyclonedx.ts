/**
 * CycloneDX in JSON, 1.2 and later.
 *
 * ```
 * { bomFormat: "CycloneDX", specVersion, serialNumber?, metadata?: { component?, properties? }, components?: [component],
 *   dependencies?: [{ ref, dependsOn?: [reference] }], externalReferences?: [{ type, url }],
 *   compositions?: [{ aggregate, assemblies?: [reference], dependencies?: [reference] }] }
 * component = { type, name, "bom-ref"?, group?, version?, purl?, cpe?, scope?, publisher?, supplier?: { name }, properties?: [{ name, value }],
 *               licenses?: [{ license: { id | name } } | { expression }], copyright?, description?,
 *               evidence?: { occurrences?: [{ location }] }, externalReferences?: [{ type, url }], components?: [component] }
 * ```
 * @see https://cyclonedx.org/docs/1.6/json/
 */
import type { Distribution } from "../model/distribution.ts";
import { type JsonObject, memberOf, objectsOf, textOf } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";
import { withoutUndefined } from "../without-undefined.ts";
import { type Entry, entriesOf, type SbomReading } from "./collect.ts";
import { type Component, isPackagePurl, purlType } from "./component.ts";
import { cycloneDxDetails, cycloneDxNeeds, type StatedNeeds } from "./stated-bill.ts";
import { type Properties, propertiesByName, statedFacts } from "./stated-facts.ts";
import { type SbomProperty, type StatedWhole, statedGaps } from "./stated-gaps.ts";
import { statedText } from "./stated-text.ts";
import { isImage, parentReferences, unlistedInCycloneDx } from "./unlisted-parts.ts";

/** Whether a document is CycloneDX. */
export function isCycloneDx(document: JsonObject): boolean {
  return document.bomFormat === "CycloneDX";
}

/** Reads a document. A nested component is a package like any other. */
export function readCycloneDx(document: JsonObject): SbomReading {
  const own = objectsOf([memberOf(document.metadata, "component") ?? null]);
  const all = [...walk(own, "metadata.component"), ...walk(document.components, "components")];
  const components = all.map(({ component }) => component);
  const systems = components.filter(({ type }) => type === "operating-system").map(distributionOf);
  const [distribution] = systems;
  const sources = findSourceEntries(components);
  const [described] = own;
  const subject = described && textOf(described.name);
  const version = textOf(described?.version);
  const isFolder = described !== undefined && textOf(described.type) !== "" && !isImage(described) ? true : undefined;
  const gaps = statedGaps({
    ...incompleteIn(document, textOf(described?.["bom-ref"])),
    properties: propertiesIn(memberOf(document.metadata, "properties")),
    unlisted: unlistedInCycloneDx(document, components.slice(own.length)),
  });
  const parents = parentReferences(document);
  const entries = [...components, ...objectsOf(document.services)].map((each) => textOf(each["bom-ref"]));
  const needs = cycloneDxNeeds(document, entries);
  return {
    format: "CycloneDX",
    gaps,
    subject: subject ? { name: subject, version: version === "" ? undefined : version, isFolder } : undefined,
    distribution,
    systems: systems.filter((each) => each !== undefined),
    tools: toolsOf(memberOf(document.metadata, "tools")),
    entries: all
      .values()
      .filter((each) => isPackage(each) && !isGroup(each.component, parents) && !sources.has(each.component))
      .map((each) => entryOf(each, { sources, needs })),
  };
}

/**
 * The composition that says that not all is listed, or that this is not known, of the subject, or of what a component has in it; else one that says so of what the subject depends on; else one
 * that not all is listed of what a component depends on. The last does not count if the subject is complete: then it is only about what depends on what.
 *
 * `assemblies` are about the parts that something includes, `dependencies` about what it requires and does not include; both only of what they name.
 * @see https://cyclonedx.org/docs/1.6/json/#compositions
 */
function incompleteIn(
  { compositions }: JsonObject,
  subject: string,
): Pick<StatedWhole, "incompleteAt" | "isAboutNeeds" | "isUnknown"> {
  const all = objectsOf(compositions);
  const isIncomplete = ({ aggregate }: JsonObject) => textOf(aggregate).startsWith("incomplete");
  const isUnknown = ({ aggregate }: JsonObject) => aggregate === "unknown";
  const isOfSubject = (list: Json | undefined) => subject !== "" && names(list, subject);
  const ofSubject = ({ dependencies }: JsonObject) => isOfSubject(dependencies);
  const isWhole = all.some(
    (each) => each.aggregate === "complete" && (isOfSubject(each.assemblies) || ofSubject(each) || isAboutAll(each)),
  );
  const statements = [
    [isIncomplete, isAboutParts],
    [isUnknown, isAboutParts],
    [isIncomplete, ofSubject],
    [isUnknown, ofSubject],
    [isIncomplete, ({ dependencies }: JsonObject) => !isWhole && hasReferences(dependencies)],
  ] as const;
  for (const [says, isAbout] of statements) {
    const index = all.findIndex((each) => says(each) && isAbout(each));
    if (index < 0) continue;
    return {
      incompleteAt: `compositions[${index}]`,
      isAboutNeeds: isAbout === isAboutParts ? undefined : true,
      isUnknown: says === isUnknown ? true : undefined,
    };
  }
  return { incompleteAt: undefined };
}

/** A composition that names nothing is about all. */
function isAboutAll({ assemblies, dependencies, vulnerabilities }: JsonObject): boolean {
  return [assemblies, dependencies, vulnerabilities].every((each) => each === undefined);
}

function isAboutParts(composition: JsonObject): boolean {
  return isAboutAll(composition) || hasReferences(composition.assemblies);
}

function hasReferences(list: Json | undefined): boolean {
  return Array.isArray(list) && (list as readonly Json[]).some((each) => textOf(each) !== "");
}

/** Whether a list has a reference. That may be a link to another document of the same subject: `urn:cdx:…#image`. */
function names(list: Json | undefined, subject: string): boolean {
  if (!Array.isArray(list)) return false;
  return (list as readonly Json[]).some((each) => textOf(each).replace(/^urn:cdx:[^#]*#/, "") === subject);
}

/** The names of tools: a list of them, or since 1.5 an object with components and services. */
function toolsOf(tools: Json | undefined): readonly string[] {
  const listed = [tools, memberOf(tools, "components"), memberOf(tools, "services")];
  return listed.flatMap((list) => objectsOf(list).map(({ name }) => textOf(name)));
}

interface Placed {
  readonly at: string;
  readonly component: JsonObject;
}

/** All components, nested ones included. Not recursive, because the document determines the nesting depth. */
function* walk(components: Json | undefined, name: string): Iterable<Placed> {
  const open = [placed(components, name).values()];
  for (let innermost = open.at(-1); innermost !== undefined; innermost = open.at(-1)) {
    const next = innermost.next();
    if (next.done) {
      open.pop();
      continue;
    }
    yield next.value;
    open.push(placed(next.value.component.components, `${next.value.at}.components`).values());
  }
}

function placed(components: Json | undefined, name: string): readonly Placed[] {
  return entriesOf(components).map((component, index) => ({ at: `${name}[${index}]`, component }));
}

/** Types of components that are packages only with a package URL or a CPE name. Any other is a package, also one that the specification does not have. */
const otherTypes: ReadonlySet<string> = new Set([
  "container",
  "cryptographic-asset",
  "data",
  "device",
  "file",
  "machine-learning-model",
]);

/**
 * A component that advisories may be about by its package URL or CPE name is a package, whatever its type. An image is one only with the package URL of another package; its packages are listed
 * beside it. So are those of an operating system. The subject of the document, and what Trivy lists for a place of packages, is a package if it has a package URL or a CPE name. An `excluded` component is a package,
 * too: the product has it for tests and other uses beside the run time.
 * @see https://cyclonedx.org/docs/1.6/json/#components_items_scope
 */
function isPackage({ at, component }: Placed): boolean {
  const [type, purl] = [textOf(component.type).toLowerCase(), statedText(component.purl)];
  if (type === "operating-system") return false;
  if (type === "container") return isPackagePurl(purl);
  const isPlainFile = type === "file" && purlType(purl) === "generic"; // not about software
  if ((purl !== "" && !isPlainFile) || statedText(component.cpe) !== "") return true;
  if (otherTypes.has(type)) return false;
  const isListed = at.startsWith("components") || at.includes(".components");
  return isListed && !objectsOf(component.properties).some(({ name }) => name === placeOfPackages);
}

/** A property of the lock files and other places that Trivy lists beside the packages in them. */
const placeOfPackages = "aquasecurity:trivy:Class";

/** Whether a component is only there to group others, as cdxgen lists the folders and modules of a project. */
function isGroup(component: JsonObject, parents: ReadonlySet<string>): boolean {
  if (component.type !== "application") return false;
  if ([component.version, component.purl, component.cpe].some((each) => statedText(each) !== "")) return false;
  return objectsOf(component.components).length > 0 || parents.has(textOf(component["bom-ref"]));
}

interface WholeDocument {
  readonly sources: SourceEntries;
  readonly needs: ReadonlyMap<string, StatedNeeds>;
}

function entryOf({ at, component }: Placed, { sources: { byBuilt }, needs }: WholeDocument): Entry {
  const properties = propertiesOf(component);
  const group = textOf(component.group);
  const version = statedText(component.version);
  const source = byBuilt.get(textOf(component.name));
  return {
    at,
    component: {
      reference: textOf(component["bom-ref"]),
      name: textOf(component.name),
      group: group || undefined,
      version,
      purl: statedText(component.purl),
      cpe: properties.get("plimsoll:cpe")?.[0] === "derived" ? "" : textOf(component.cpe), // Plimsoll's own guess proves nothing
      source,
      ...withoutUndefined(statedFacts(properties)),
      maker: statedText(component.publisher) || statedText(memberOf(component.supplier, "name")), // Syft, and Trivy
      isForDevelopment: component.scope === "excluded" ? true : undefined,
      locations: locationsOf(component, properties),
      details: cycloneDxDetails(component, properties.get("plimsoll:license-reference") ?? []),
      needs: needs.get(textOf(component["bom-ref"])),
    },
  };
}

function propertiesOf(component: JsonObject): Properties {
  return propertiesByName(propertiesIn(component.properties).map(({ name, value }) => [name, value] as const));
}

function propertiesIn(list: Json | undefined): readonly SbomProperty[] {
  return objectsOf(list).map(({ name, value }) => ({ name: textOf(name), value: textOf(value) }));
}

function locationsOf(component: JsonObject, properties: Properties): readonly string[] {
  const occurrences = objectsOf(memberOf(component.evidence, "occurrences")).map(({ location }) => textOf(location));
  const named = [...properties].flatMap(([name, values]) => (locationName.test(name) ? values.slice(0, 1) : []));
  return [...new Set([...occurrences, ...named].map((path) => path.replace(/^\/+/, "")))].filter(Boolean);
}

/** `syft:location:0:path` */
const locationName = /^(?:syft:location:\d+:path|(?:aquasecurity:trivy:)?FilePath|SrcFile)$/;

/** The release of an operating system. Syft writes the values of os-release into properties. */
function distributionOf(component: JsonObject): Omit<Distribution, "id"> | undefined {
  const properties = propertiesOf(component);
  const stated = (name: string) => properties.get(name)?.[0];
  const did = (stated("syft:distro:id") ?? textOf(component.name)).toLowerCase();
  const versionId = stated("syft:distro:versionID") ?? textOf(component.version);
  const versionCodeName = stated("syft:distro:versionCodename");
  const version = stated("syft:distro:version");
  const prettyName = stated("syft:distro:prettyName") ?? textOf(component.description);
  if (did === "") return undefined;
  return {
    did,
    version,
    versionId: versionId || undefined,
    versionCodeName,
    prettyName: prettyName || undefined,
  };
}

/** The source packages that a document lists as entries of their own. */
interface SourceEntries {
  /** The source package by the name of a package that was built from it. */
  readonly byBuilt: ReadonlyMap<string, NonNullable<Component["source"]>>;
  /** Whether an entry is a source package of others in the document, and not an installed package. */
  has(component: JsonObject): boolean;
}

const none: SourceEntries = { byBuilt: new Map(), has: () => false };

/**
 * Finds entries for source packages. cdxgen adds one for the packages of a distribution that have another name than their source: with the tag
 * `source`, and with the names of these packages as evidence. The packages themselves do not name it.
 * @see https://github.com/CycloneDX/cdxgen/blob/master/lib/managers/binary.js
 */
function findSourceEntries(components: readonly JsonObject[]): SourceEntries {
  const tagged = components.filter(({ tags }) => Array.isArray(tags) && (tags as readonly Json[]).includes("source"));
  if (tagged.length === 0) return none;
  const isTagged = new Set(tagged);
  const names = new Set(components.filter((each) => !isTagged.has(each)).map(({ name }) => textOf(name)));
  const byBuilt = new Map<string, NonNullable<Component["source"]>>();
  const sources = new Set<JsonObject>();
  for (const each of tagged) {
    const built = builtNames(each).filter((name) => names.has(name));
    if (built.length > 0) sources.add(each);
    for (const name of built) byBuilt.set(name, { name: textOf(each.name), version: statedText(each.version) });
  }
  return { byBuilt, has: (component) => sources.has(component) };
}

function builtNames({ evidence }: JsonObject): readonly string[] {
  const identity = memberOf(evidence, "identity");
  const identities = Array.isArray(identity) ? objectsOf(identity) : objectsOf([identity ?? null]);
  return identities.flatMap(({ methods }) => objectsOf(methods).map(({ value }) => textOf(value)));
}
