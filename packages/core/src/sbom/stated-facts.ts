import { moduleStream } from "../model/purl-record.ts";
import type { Component } from "./component.ts";

/** The properties of CycloneDX in which a tool writes facts about a package that its package URL does not have. */
interface Dialect {
  /** The name of the source package, or of its rpm file. */
  readonly source: string;
  /** The version of the source package; absent where `source` is all that is written. */
  readonly version?: string;
  readonly release?: string;
  readonly epoch?: string;
  /** The label of the rpm's module. */
  readonly module?: string;
}

/** A row for each tool; the first whose `source` or `module` a component has applies. */
const dialects: readonly Dialect[] = [
  { source: "plimsoll:source-package", version: "plimsoll:source-version", module: "plimsoll:module" },
  trivyUnder("aquasecurity:trivy:"),
  trivyUnder(""), // cdxgen, which runs Trivy and shortens the names
  { source: "syft:metadata:source", version: "syft:metadata:sourceVersion", module: "syft:metadata:modularityLabel" },
  { source: "syft:metadata:originPackage" },
];

function trivyUnder(prefix: string): Dialect {
  return {
    source: `${prefix}SrcName`,
    version: `${prefix}SrcVersion`,
    release: `${prefix}SrcRelease`,
    epoch: `${prefix}SrcEpoch`,
    module: `${prefix}Modularitylabel`,
  };
}

/**
 * What the properties of a component state about its source package and module.
 * @param version the component's own, which a source without a stated one has
 */
export function statedFacts(
  properties: ReadonlyMap<string, string>,
  version: string,
): Pick<Component, "source" | "module"> {
  const sources = dialects.map((dialect) => sourceIn(properties, dialect, version));
  const source = sources.find((each) => each !== undefined);
  const labels = dialects.map(({ module }) => (module === undefined ? undefined : properties.get(module)));
  const label = labels.find((each) => each !== undefined);
  const module = label === undefined ? undefined : moduleStream(label);
  return { ...(source !== undefined && { source }), ...(module !== undefined && { module }) };
}

function sourceIn(properties: ReadonlyMap<string, string>, dialect: Dialect, ofPackage: string): Component["source"] {
  const part = (name: string | undefined) => (name === undefined ? undefined : properties.get(name));
  const name = properties.get(dialect.source);
  if (name === undefined) return undefined;
  const [upstream, release, epoch = "0"] = [part(dialect.version), part(dialect.release), part(dialect.epoch)];
  if (upstream === undefined) return { name, version: ofPackage };
  return { name, version: `${epoch === "0" ? "" : `${epoch}:`}${upstream}${release ? `-${release}` : ""}` };
}
