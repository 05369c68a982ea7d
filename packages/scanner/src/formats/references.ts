import type { Component } from "./components.ts";

/** What a document calls each package, by the package's id. */
export type References = ReadonlyMap<string, string>;

/** Names for references inside one document: the package URL, and with the id of the package where several have the same. */
export function componentReferences(components: readonly Component[]): References {
  const taken = new Set<string>();
  return new Map(
    components.map(({ package: found, purl }) => {
      const plain = purl ?? `${found.name}@${found.version}`;
      const reference = taken.has(plain) || purl === undefined ? `${plain}#${found.id}` : plain;
      taken.add(plain);
      return [found.id, reference];
    }),
  );
}
