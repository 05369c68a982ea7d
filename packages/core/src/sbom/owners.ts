import { distributionPackageKey, scopeKey, thirdPartyKey, unstatedKey } from "../model/package.ts";
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
    const owning = (owners.get(found.reference) ?? []).flatMap((reference) => byReference.get(reference) ?? []);
    const ofDistribution = owning.filter(isOfDistribution);
    const distribution = ofDistribution[0]?.distribution;
    if (distribution === undefined) return found;
    return ownedBy(found, { owners: ofDistribution.map((owner) => owner.package.name), distribution });
  });
}

/** Who owns the files of a package. */
export interface Owners {
  /** The names of packages of the distribution, one or more. */
  readonly owners: readonly string[];
  readonly distribution: NonNullable<SbomPackage["distribution"]>;
}

/** A package whose files packages of the distribution own. One of a distribution itself is not changed. */
export function ownedBy(found: SbomPackage, { owners, distribution }: Owners): SbomPackage {
  if (hasNoRepository(found)) return found;
  const marks = [...new Set(owners)].map((name) => ({ name, key: distributionPackageKey }));
  return { ...found, distribution, repositories: [...found.repositories, ...marks] };
}

function isOfDistribution(found: SbomPackage): boolean {
  return found.distribution !== undefined && hasNoRepository(found);
}

function hasNoRepository({ repositories }: SbomPackage): boolean {
  return repositories.every(({ key = "" }) => marks.has(key));
}

/** The keys of entries that a package of a distribution may have, which are no repositories. */
const marks: ReadonlySet<string> = new Set([scopeKey, thirdPartyKey, unstatedKey]);

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
