import type { Component } from "./components.ts";

/** The reference of each package within a document, by the package's id. */
export type References = ReadonlyMap<string, string>;

/** Assigns the references of packages: the package URL, followed by the package's id if it is not unique. */
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
