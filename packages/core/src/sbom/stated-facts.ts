import { moduleStream } from "../model/purl-record.ts";
import { type ToolProperties, toolProperties } from "../model/sbom-tools.ts";
import type { Component } from "./component.ts";

/** What an entry states about a package besides its package URL. */
export type StatedFacts = Pick<
  Component,
  | "source"
  | "epoch"
  | "module"
  | "system"
  | "owners"
  | "thirdParty"
  | "mainModule"
  | "namePatterns"
  | "isForDevelopment"
  | "unstated"
>;

const nothing: StatedFacts = {};

/** The properties of an entry: the values of each name, one or more. */
export type Properties = ReadonlyMap<string, readonly string[]>;

/**
 * What the properties of an entry state about its source package, its module, its owners and who made it; of the tools of which it has properties,
 * the first.
 */
export function statedFacts(properties: Properties): StatedFacts {
  if (properties.size === 0) return nothing;
  const source = first((row) => sourceIn(properties, row));
  const label = first(({ module = "" }) => properties.get(module)?.[0]);
  const module = label === undefined ? undefined : moduleStream(label);
  const owners = first(({ owner: name = "" }) => properties.get(name));
  const mainModule = first(({ mainModule: name = "" }) => properties.get(name)?.[0]);
  const thirdParty = first(({ thirdParty: name = "" }) => properties.get(name)?.[0]);
  return {
    source,
    epoch: first(({ epoch: name = "" }) => properties.get(name)?.[0]),
    module,
    system: first(({ system: name = "" }) => properties.get(name)?.[0]),
    owners,
    thirdParty,
    mainModule,
    namePatterns: first(({ namePattern: name = "" }) => properties.get(name)),
    isForDevelopment: first(({ development: name = "" }) => (properties.has(name) ? true : undefined)),
    unstated: first(({ unstated: name = "" }) => properties.get(name)),
  };
}

function first<Value>(read: (row: ToolProperties) => Value | undefined): Value | undefined {
  for (const row of toolProperties) {
    const value = read(row);
    if (value !== undefined) return value;
  }
  return undefined;
}

function sourceIn(properties: Properties, row: ToolProperties): Component["source"] {
  const part = (name = "") => properties.get(name)?.[0];
  const name = part(row.source);
  const upstream = part(row.sourceVersion);
  if (name === undefined || upstream === undefined) return name === undefined ? undefined : { name };
  const [release = "", epoch = "0"] = [part(row.sourceRelease), part(row.sourceEpoch)];
  return { name, version: `${epoch === "0" ? "" : `${epoch}:`}${upstream}${release === "" ? "" : `-${release}`}` };
}

/** Properties by name. Those without a name or a value are left out. */
export function propertiesByName(pairs: Iterable<readonly [name: string, value: string]>): Properties {
  const properties = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    if (name === "" || value === "") continue;
    const known = properties.get(name);
    if (known === undefined) properties.set(name, [value]);
    else known.push(value);
  }
  return properties;
}
