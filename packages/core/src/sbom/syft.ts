/**
 * Syft's own form.
 *
 * ```
 * { files: [{ location: { path }, unknowns: [text] }],
 *   artifacts: [{ id, name, version, purl, cpes: [cpe | { cpe }], locations: [{ path }], metadata }],
 *   artifactRelationships: [{ parent, child, type }], source, distro: { id, versionID, … }, descriptor: { name: "syft" }, schema }
 * ```
 * @see https://github.com/anchore/syft/tree/main/schema/json
 */
import type { Distribution } from "../model/distribution.ts";
import { isObject, type JsonObject, memberOf, objectsOf, textOf } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";
import { toolProperties } from "../model/sbom-tools.ts";
import { type Entry, entriesOf, type SbomReading } from "./collect.ts";
import { parentsOf, withOwners } from "./owners.ts";
import { type StatedNeeds, syftDetails, syftNeeds } from "./stated-bill.ts";
import { type Properties, propertiesByName, statedFacts } from "./stated-facts.ts";
import { statedGaps } from "./stated-gaps.ts";
import { statedText } from "./stated-text.ts";

/** Whether a document has Syft's form. */
export function isSyft(document: JsonObject): boolean {
  return Array.isArray(document.artifacts) && isObject(document.schema);
}

/** Reads a document. */
export function readSyft(document: JsonObject): SbomReading {
  const distribution = distributionOf(document.distro);
  const name = textOf(memberOf(document.source, "name")) || textOf(memberOf(document.source, "target"));
  const version = textOf(memberOf(document.source, "version"));
  const isFolder = ["directory", "file"].includes(textOf(memberOf(document.source, "type"))) || undefined;
  const needs = syftNeeds(document.artifactRelationships);
  return {
    format: "Syft",
    subject: name !== "" ? { name, version: version === "" ? undefined : version, isFolder } : undefined,
    distribution,
    gaps: statedGaps({ incompleteAt: undefined, properties: [], unlisted: [], unread: unreadIn(document.files) }),
    tools: ["syft"],
    entries: entriesOf(document.artifacts)
      .entries()
      .map((each) => entryOf(each, needs)),
    finish: (packages) => withOwners(packages, ownersOf(document.artifactRelationships)),
  };
}

/** What Syft could not read: a text of each of its parts that tried. */
function unreadIn(files: Json | undefined): readonly { readonly at: string; readonly message: string }[] {
  return objectsOf(files).flatMap(({ location, unknowns }) => {
    const texts = Array.isArray(unknowns) ? (unknowns as readonly Json[]).map(textOf).filter(Boolean) : [];
    const at = textOf(memberOf(location, "path")).replace(/^\/+/, "");
    return texts.map((text) => ({ at, message: `Syft could not read it: ${text}` }));
  });
}

function entryOf([index, artifact]: readonly [number, JsonObject], needs: ReadonlyMap<string, StatedNeeds>): Entry {
  return {
    at: `artifacts[${index}]`,
    component: {
      reference: textOf(artifact.id),
      name: textOf(artifact.name),
      version: statedText(artifact.version),
      purl: statedText(artifact.purl),
      cpe: firstCpe(artifact.cpes),
      ...statedFacts(propertiesOf(artifact.metadata)),
      maker: statedText(memberOf(artifact.metadata, "maintainer")) || statedText(memberOf(artifact.metadata, "vendor")),
      locations: objectsOf(artifact.locations).map(({ path }) => textOf(path).replace(/^\/+/, "")),
      details: syftDetails(artifact),
      needs: needs.get(textOf(artifact.id)),
    },
  };
}

const prefix = "syft:metadata:";

/** The members of the metadata that Syft's CycloneDX has as properties. */
const members = toolProperties
  .flatMap((row) => Object.values<string>({ ...row }))
  .flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []));

function propertiesOf(metadata: Json | undefined): Properties {
  return propertiesByName(members.map((name) => [`${prefix}${name}`, wordOf(memberOf(metadata, name))] as const));
}

/** A text; a number, as an epoch, in words. */
function wordOf(value: Json | undefined): string {
  return typeof value === "number" ? String(value) : textOf(value);
}

/** The first CPE name. Before schema 16 a list item was a text, not an object. */
function firstCpe(cpes: Json | undefined): string {
  const [first] = Array.isArray(cpes) ? (cpes as readonly Json[]) : [];
  return textOf(first) || textOf(memberOf(first, "cpe"));
}

function distributionOf(distro: Json | undefined): Omit<Distribution, "id"> | undefined {
  const text = (name: string) => textOf(memberOf(distro, name));
  const did = text("id").toLowerCase();
  if (did === "") return undefined;
  const like = memberOf(distro, "idLike");
  const likes = Array.isArray(like) ? (like as readonly Json[]).map(textOf).filter(Boolean) : [];
  const words = {
    name: text("name"),
    version: text("version"),
    versionId: text("versionID"),
    versionCodeName: text("versionCodename"),
    prettyName: text("prettyName"),
    cpe: text("cpeName"),
  };
  const present = Object.fromEntries(Object.entries(words).filter(([, word]) => word !== ""));
  return { did, like: likes.length > 0 ? likes : undefined, ...present };
}

function ownersOf(relationships: Json | undefined): ReadonlyMap<string, readonly string[]> {
  const owning = objectsOf(relationships).filter(({ type }) => type === "ownership-by-file-overlap");
  return parentsOf(owning.map(({ parent, child }) => [textOf(parent), textOf(child)]));
}
