/**
 * Syft's own form.
 *
 * ```
 * { artifacts: [{ id, name, version, purl, cpes: [cpe | { cpe }], locations: [{ path }], metadata }],
 *   artifactRelationships: [{ parent, child, type }], source, distro: { id, versionID, … }, descriptor: { name: "syft" }, schema }
 * ```
 * @see https://github.com/anchore/syft/tree/main/schema/json
 */
import type { Distribution } from "../model/distribution.ts";
import { isObject, type JsonObject, memberOf, objectsOf, textOf } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";
import { moduleStream } from "../model/purl-record.ts";
import type { Entry, SbomReading } from "./collect.ts";
import { withOwners } from "./owners.ts";

/** Whether a document has Syft's form. */
export function isSyft(document: JsonObject): boolean {
  return Array.isArray(document.artifacts) && isObject(document.schema);
}

/** Reads a document. */
export function readSyft(document: JsonObject): SbomReading {
  const distribution = distributionOf(document.distro);
  const name = textOf(memberOf(document.source, "name")) || textOf(memberOf(document.source, "target"));
  const version = textOf(memberOf(document.source, "version"));
  return {
    format: "Syft",
    ...(name !== "" && { subject: { name, ...(version !== "" && { version }) } }),
    ...(distribution !== undefined && { distribution }),
    tools: ["syft"],
    entries: objectsOf(document.artifacts).entries().map(entryOf),
    finish: (packages) => withOwners(packages, ownersOf(document.artifactRelationships)),
  };
}

function entryOf([index, artifact]: readonly [number, JsonObject]): Entry {
  const module = moduleStream(textOf(memberOf(artifact.metadata, "modularityLabel")));
  return {
    at: `artifacts[${index}]`,
    component: {
      reference: textOf(artifact.id),
      name: textOf(artifact.name),
      version: textOf(artifact.version),
      purl: textOf(artifact.purl),
      cpe: firstCpe(artifact.cpes),
      ...(module !== undefined && { module }),
      locations: objectsOf(artifact.locations).map(({ path }) => textOf(path).replace(/^\/+/, "")),
    },
  };
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
  return { did, ...(likes.length > 0 && { like: likes }), ...present };
}

function ownersOf(relationships: Json | undefined): ReadonlyMap<string, string> {
  const owning = objectsOf(relationships).filter(({ type }) => type === "ownership-by-file-overlap");
  return new Map(owning.map(({ parent, child }) => [textOf(child), textOf(parent)]));
}
