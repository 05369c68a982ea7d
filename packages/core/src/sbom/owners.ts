import { distributionPackageKey } from "../model/package.ts";
import type { SbomPackage } from "./sbom.ts";

/**
 * The packages with what a document says about owners: if a package of the distribution owns the file of a language's package, the distribution's
 * advisories apply to it.
 * @param owners the reference of the owner by that of the package; references of anything else have no effect
 */
export function withOwners(
  packages: readonly SbomPackage[],
  owners: ReadonlyMap<string, string>,
): readonly SbomPackage[] {
  const byReference = new Map(packages.map((found) => [found.reference, found]));
  return packages.map((found) => {
    const owner = byReference.get(owners.get(found.reference) ?? "");
    const { distribution } = owner ?? {};
    if (owner === undefined || distribution === undefined || owner.repositories.length > 0) return found;
    return ownedBy(found, owner.package.name, distribution);
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
