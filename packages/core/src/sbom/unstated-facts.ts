import type { PackageFact } from "../model/index-report.ts";
import { type FoundPackage, type PackageRepository, unstatedKey } from "../model/package.ts";

/** A package of a document, with the package URL that the document has for it. */
export interface StatedFacts {
  readonly purl?: string;
  readonly package: FoundPackage;
  readonly repositories: readonly Omit<PackageRepository, "id">[];
}

/**
 * Tools whose documents state the source of a package of a distribution and the epoch of an rpm wherever the package database has one. What
 * they do not state does not exist.
 */
const exactTools = /\b(?:plimsoll|syft|trivy)\b/i;

/** A fact that documents may leave out, and the packages that have it. */
interface OptionalFact {
  readonly fact: PackageFact;
  /** Types of package URLs. */
  readonly types: readonly string[];
  isStated(found: FoundPackage): boolean;
}

const optionalFacts: readonly OptionalFact[] = [
  { fact: "source", types: ["apk", "deb", "rpm"], isStated: ({ source }) => source !== undefined },
  { fact: "epoch", types: ["rpm"], isStated: ({ version, source }) => hasEpoch(version) || hasEpoch(source?.version) },
];

function hasEpoch(version = ""): boolean {
  return /^\d+:/.test(version);
}

/**
 * Marks the facts that a document does not state, so that a package without them differs from one that does not have them ({@link unstatedKey}).
 * A document states a fact if it has the fact for any package of the type, or if its tool is known to state it.
 * @param tools the names of the tools that made the document, as it has them
 */
export function withUnstatedFacts<Each extends StatedFacts>(
  packages: readonly Each[],
  tools: readonly string[],
): readonly Each[] {
  if (tools.some((tool) => exactTools.test(tool))) return packages;
  return optionalFacts.reduce((marked, optional) => markOne(marked, optional), packages);
}

function markOne<Each extends StatedFacts>(
  packages: readonly Each[],
  { fact, types, isStated }: OptionalFact,
): readonly Each[] {
  const byType = Map.groupBy(packages, typeOf);
  const unstated = new Set(types.filter((type) => byType.get(type)?.some((each) => isStated(each.package)) === false));
  if (unstated.size === 0) return packages;
  return packages.map((each) => {
    if (!unstated.has(typeOf(each))) return each;
    return { ...each, repositories: [...each.repositories, { name: fact, key: unstatedKey }] };
  });
}

function typeOf({ purl = "" }: StatedFacts): string {
  return /^pkg:\/*([^/]+)\//i.exec(purl)?.[1]?.toLowerCase() ?? "";
}
