/**
 * CycloneDX in JSON, 1.2 and later.
 *
 * ```
 * { bomFormat: "CycloneDX", specVersion, metadata?: { component? }, components?: [component] }
 * component = { type, name, "bom-ref"?, group?, version?, purl?, cpe?, scope?, properties?: [{ name, value }],
 *               evidence?: { occurrences?: [{ location }] }, components?: [component] }
 * ```
 * @see https://cyclonedx.org/docs/1.6/json/
 */
import type { Distribution } from "../model/distribution.ts";
import { type JsonObject, memberOf, objectsOf, textOf } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";
import type { Entry, SbomReading } from "./collect.ts";
import { findSourceEntries, type SourceEntries } from "./source-entries.ts";
import { statedFacts } from "./stated-facts.ts";

/** Whether a document is CycloneDX. */
export function isCycloneDx(document: JsonObject): boolean {
  return document.bomFormat === "CycloneDX";
}

/** Reads a document. A nested component is a package like any other. */
export function readCycloneDx(document: JsonObject): SbomReading {
  const own = objectsOf([memberOf(document.metadata, "component") ?? null]);
  const all = [...walk(own, "metadata.component"), ...walk(objectsOf(document.components), "components")];
  const system = all.find(({ component }) => component.type === "operating-system");
  const distribution = system && distributionOf(system.component);
  const sources = findSourceEntries(all.map(({ component }) => component));
  const subject = own[0] && textOf(own[0].name);
  const version = textOf(own[0]?.version);
  return {
    format: "CycloneDX",
    ...(subject && { subject: { name: subject, ...(version !== "" && { version }) } }),
    ...(distribution !== undefined && { distribution }),
    tools: toolsOf(memberOf(document.metadata, "tools")),
    entries: all
      .values()
      .filter((each) => isPackage(each) && !sources.has(each.component))
      .map((each) => entryOf(each, sources)),
  };
}

/** The names of tools: a list of them, or since 1.5 an object with components. */
function toolsOf(tools: Json | undefined): readonly string[] {
  return [...objectsOf(tools), ...objectsOf(memberOf(tools, "components"))].map(({ name }) => textOf(name));
}

interface Placed {
  readonly at: string;
  readonly component: JsonObject;
}

/** All components, nested ones included. Not recursive, because the document determines the nesting depth. */
function* walk(components: readonly JsonObject[], name: string): Iterable<Placed> {
  const open = [placed(components, name).values()];
  for (let innermost = open.at(-1); innermost !== undefined; innermost = open.at(-1)) {
    const next = innermost.next();
    if (next.done) {
      open.pop();
      continue;
    }
    yield next.value;
    open.push(placed(objectsOf(next.value.component.components), `${next.value.at}.components`).values());
  }
}

function placed(components: readonly JsonObject[], name: string): readonly Placed[] {
  return components.map((component, index) => ({ at: `${name}[${index}]`, component }));
}

/** Types of components that are packages. */
const packageTypes: ReadonlySet<string> = new Set(["application", "framework", "library", "platform"]);

/**
 * `excluded` components are not part of the product. The subject of the document, and what Trivy lists for a place of packages, is a package if it
 * has a package URL.
 */
function isPackage({ at, component }: Placed): boolean {
  if (!packageTypes.has(textOf(component.type)) || component.scope === "excluded") return false;
  if (textOf(component.purl) !== "") return true;
  const isListed = at.startsWith("components") || at.includes(".components");
  return isListed && !objectsOf(component.properties).some(({ name }) => name === placeOfPackages);
}

/** A property of the lock files and other places that Trivy lists beside the packages in them. */
const placeOfPackages = "aquasecurity:trivy:Class";

function entryOf({ at, component }: Placed, { byBuilt }: SourceEntries): Entry {
  const properties = propertiesOf(component);
  const group = textOf(component.group);
  const version = textOf(component.version);
  const source = byBuilt.get(textOf(component.name));
  return {
    at,
    component: {
      reference: textOf(component["bom-ref"]),
      name: textOf(component.name),
      ...(group !== "" && { group }),
      version,
      purl: textOf(component.purl),
      cpe: properties.get("plimsoll:cpe") === "derived" ? "" : textOf(component.cpe), // Plimsoll's own guess proves nothing
      ...(source !== undefined && { source }),
      ...statedFacts(properties),
      locations: locationsOf(component, properties),
    },
  };
}

/** The first value of each property. */
function propertiesOf(component: JsonObject): ReadonlyMap<string, string> {
  const properties = new Map<string, string>();
  for (const { name, value } of objectsOf(component.properties)) {
    const [key, text] = [textOf(name), textOf(value)];
    if (key !== "" && text !== "" && !properties.has(key)) properties.set(key, text);
  }
  return properties;
}

function locationsOf(component: JsonObject, properties: ReadonlyMap<string, string>): readonly string[] {
  const occurrences = objectsOf(memberOf(component.evidence, "occurrences")).map(({ location }) => textOf(location));
  const named = [...properties].flatMap(([name, value]) => (locationName.test(name) ? [value] : []));
  return [...new Set([...occurrences, ...named].map((path) => path.replace(/^\/+/, "")))].filter(Boolean);
}

/** `syft:location:0:path` */
const locationName = /^(?:syft:location:\d+:path|(?:aquasecurity:trivy:)?FilePath|SrcFile)$/;

/** The release of an operating system. Syft writes the values of os-release into properties. */
function distributionOf(component: JsonObject): Omit<Distribution, "id"> | undefined {
  const properties = propertiesOf(component);
  const did = (properties.get("syft:distro:id") ?? textOf(component.name)).toLowerCase();
  const versionId = properties.get("syft:distro:versionID") ?? textOf(component.version);
  const versionCodeName = properties.get("syft:distro:versionCodename");
  const prettyName = properties.get("syft:distro:prettyName") ?? textOf(component.description);
  if (did === "") return undefined;
  return {
    did,
    ...(versionId !== "" && { versionId }),
    ...(versionCodeName !== undefined && { versionCodeName }),
    ...(prettyName !== "" && { prettyName }),
  };
}
