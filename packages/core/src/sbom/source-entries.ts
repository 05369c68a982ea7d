import { type JsonObject, memberOf, objectsOf, textOf } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";
import type { Component } from "./component.ts";

/** The source packages that a document lists as entries of their own. */
export interface SourceEntries {
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
export function findSourceEntries(components: readonly JsonObject[]): SourceEntries {
  const tagged = components.filter(({ tags }) => Array.isArray(tags) && (tags as readonly Json[]).includes("source"));
  if (tagged.length === 0) return none;
  const isTagged = new Set(tagged);
  const names = new Set(components.filter((each) => !isTagged.has(each)).map(({ name }) => textOf(name)));
  const byBuilt = new Map<string, NonNullable<Component["source"]>>();
  const sources = new Set<JsonObject>();
  for (const each of tagged) {
    const built = builtNames(each).filter((name) => names.has(name));
    if (built.length > 0) sources.add(each);
    for (const name of built) byBuilt.set(name, { name: textOf(each.name), version: textOf(each.version) });
  }
  return { byBuilt, has: (component) => sources.has(component) };
}

function builtNames({ evidence }: JsonObject): readonly string[] {
  const identity = memberOf(evidence, "identity");
  const identities = Array.isArray(identity) ? objectsOf(identity) : objectsOf([identity ?? null]);
  return identities.flatMap(({ methods }) => objectsOf(methods).map(({ value }) => textOf(value)));
}
