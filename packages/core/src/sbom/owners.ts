import { distributionPackageKey } from "../model/package.ts";
import type { SbomPackage } from "./sbom.ts";

/**
 * The packages with what a document says about owners: if a package of the distribution owns the file of a language's package, the distribution's
 * advisories apply to it.
 * @param owners the references of what contains a package, by its own; references of anything but packages of a distribution have no effect
 */
export function withOwners(
  packages: readonly SbomPackage[],
  owners: ReadonlyMap<string, readonly string[]>,
): readonly SbomPackage[] {
  const byReference = new Map(packages.map((found) => [found.reference, found]));
  return packages.map((found) => {
    for (const reference of owners.get(found.reference) ?? []) {
      const owner = byReference.get(reference);
      if (owner?.distribution !== undefined && owner.repositories.length === 0)
        return ownedBy(found, owner.package.name, owner.distribution);
    }
    return found;
  });
}

/** A package whose file a package of the distribution owns. One of a distribution itself is not changed. */
export function ownedBy(
  found: SbomPackage,
  owner: string,
  distribution: NonNullable<SbomPackage["distribution"]>,
): SbomPackage {
  if (found.repositories.length === 0) return found;
  return {
    ...found,
    distribution,
    repositories: [...found.repositories, { name: owner, key: distributionPackageKey }],
  };
}

/** The parents of each child. */
export function parentsOf(
  pairs: readonly (readonly [parent: string, child: string])[],
): ReadonlyMap<string, readonly string[]> {
  const parents = new Map<string, string[]>();
  for (const [parent, child] of pairs) {
    const known = parents.get(child);
    if (known === undefined) parents.set(child, [parent]);
    else known.push(parent);
  }
  return parents;
}
