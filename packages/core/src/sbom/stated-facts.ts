import { moduleStream } from "../model/purl-record.ts";
import { type ToolProperties, toolProperties } from "../model/sbom-tools.ts";
import type { Component } from "./component.ts";

/** What an entry states about a package besides its package URL. */
export type StatedFacts = Pick<Component, "source" | "module" | "owner">;

const nothing: StatedFacts = {};

/** What the properties of an entry state about its source package, its module and its owner; of the tools of which it has properties, the first. */
export function statedFacts(properties: ReadonlyMap<string, string>): StatedFacts {
  if (properties.size === 0) return nothing;
  const source = first((row) => sourceIn(properties, row));
  const label = first(({ module = "" }) => properties.get(module));
  const module = label === undefined ? undefined : moduleStream(label);
  const owner = first(({ owner: name = "" }) => properties.get(name));
  return {
    ...(source !== undefined && { source }),
    ...(module !== undefined && { module }),
    ...(owner !== undefined && { owner }),
  };
}

function first<Value>(read: (row: ToolProperties) => Value | undefined): Value | undefined {
  for (const row of toolProperties) {
    const value = read(row);
    if (value !== undefined) return value;
  }
  return undefined;
}

function sourceIn(properties: ReadonlyMap<string, string>, row: ToolProperties): Component["source"] {
  const part = (name = "") => properties.get(name);
  const name = part(row.source);
  const upstream = part(row.sourceVersion);
  if (name === undefined || upstream === undefined) return name === undefined ? undefined : { name };
  const [release = "", epoch = "0"] = [part(row.sourceRelease), part(row.sourceEpoch)];
  return { name, version: `${epoch === "0" ? "" : `${epoch}:`}${upstream}${release === "" ? "" : `-${release}`}` };
}
