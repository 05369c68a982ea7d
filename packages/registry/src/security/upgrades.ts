import { allEcosystems, ScanError } from "@plimsoll/core";
import { maxVersion, type VersionScheme } from "@plimsoll/core/versions";

/** A package with the versions that fix its vulnerabilities. */
export interface FixablePackage {
  readonly Name: string;
  readonly Version: string;
  readonly Purl?: string;
  readonly Source?: { readonly Name: string; readonly Version: string };
  readonly Vulnerabilities?: readonly { readonly FixedBy: string }[];
}

/**
 * Finds for each package the lowest version that fixes all of its vulnerabilities with a known fix. Packages that are built from one
 * source get the same version. Undefined if there is no fix, or the order of versions is not known.
 */
export function upgradesOf(packages: readonly FixablePackage[]): (of: FixablePackage) => string | undefined {
  const fixes = new Map<string, Set<string>>();
  for (const each of packages) {
    const known = fixes.get(keyOf(each)) ?? new Set();
    for (const { FixedBy } of each.Vulnerabilities ?? []) if (FixedBy !== "") known.add(FixedBy);
    fixes.set(keyOf(each), known);
  }
  const upgrades = new Map([...fixes].map(([key, known]) => [key, highest(key, [...known])]));
  return (of) => upgrades.get(keyOf(of));
}

/** Packages with the same key are upgraded together. It begins with the type of the package URL. */
function keyOf({ Name, Version, Purl = "", Source }: FixablePackage): string {
  const type = Purl.startsWith("pkg:") ? (Purl.slice("pkg:".length).split("/", 1)[0] ?? "") : "";
  return [type, Source?.Name ?? Name, Source?.Version ?? Version].join("\n");
}

function highest(key: string, fixes: readonly string[]): string | undefined {
  if (fixes.length < 2) return fixes[0];
  const order = orders.get(key.split("\n", 1)[0] ?? "");
  if (order === undefined) return undefined;
  try {
    return maxVersion(order, fixes);
  } catch (error) {
    if (error instanceof ScanError) return undefined; // a fix that is no version
    throw error;
  }
}

/** The order of versions, by the type of package URLs. */
const orders: ReadonlyMap<string, VersionScheme> = new Map(
  allEcosystems.flatMap(({ purl, versions }) => (versions === undefined ? [] : purl.map((type) => [type, versions]))),
);
