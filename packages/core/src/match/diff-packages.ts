import type { IndexReport } from "../model/index-report.ts";
import type { Package } from "../model/package.ts";
import { orderOf } from "../versions/define-order.ts";
import { packageIdentities, type ReportInventory } from "./package-identities.ts";

/** A package that is in both reports at different versions. */
export type ChangedPackage = PackageDiff["changed"][number];

/** The differences between the packages of two reports, sorted by name; empty lists where there are none. */
export interface PackageDiff {
  readonly added: readonly Package[];
  readonly removed: readonly Package[];
  /** Packages that are in both reports at different versions. */
  readonly changed: readonly {
    readonly before: Package;
    readonly after: Package;
  }[];
}

/**
 * Compares the packages of two reports. A package is the same at any version. Where an image has several versions of one,
 * versions in both images are unchanged, and the others are paired as changes as far as possible.
 * @example
 * declare const before: IndexReport;
 * declare const after: IndexReport;
 * for (const { before: old, after: now } of diffPackages(before, after).changed) console.log(old.name, old.version, now.version);
 */
export function diffPackages(
  before: Pick<IndexReport, "packages" | "environments" | "repositories">,
  after: Pick<IndexReport, "packages" | "environments" | "repositories">,
): PackageDiff {
  const [a, b] = [byIdentity(before), byIdentity(after)];
  const names = [...new Set([...a.keys(), ...b.keys()])].sort();
  const diffs = names.map((name) => diffVersions(a.get(name) ?? [], b.get(name) ?? []));
  return {
    added: diffs.flatMap(({ added }) => added),
    removed: diffs.flatMap(({ removed }) => removed),
    changed: diffs.flatMap(({ changed }) => changed),
  };
}

/** The distinct versions of each package, in the order of their texts. */
function byIdentity(report: ReportInventory): ReadonlyMap<string, readonly Package[]> {
  const identities = packageIdentities(report);
  const groups = Map.groupBy(Object.values(report.packages), ({ id }) => identities.get(id) ?? "");
  return new Map([...groups].map(([identity, found]) => [identity, distinctVersions(found)]));
}

function distinctVersions(packages: readonly Package[]): readonly Package[] {
  const versions = new Map(packages.toReversed().map((found) => [found.version, found]));
  return [...versions.values()].sort((a, b) => orderOf(a.version, b.version));
}

function diffVersions(before: readonly Package[], after: readonly Package[]): PackageDiff {
  const [old, now] = [without(before, after), without(after, before)];
  const pairs = Math.min(old.length, now.length);
  const changed = old.slice(0, pairs).flatMap((one, index) => {
    const other = now[index];
    return other === undefined ? [] : [{ before: one, after: other }];
  });
  return { added: now.slice(pairs), removed: old.slice(pairs), changed };
}

function without(packages: readonly Package[], others: readonly Package[]): readonly Package[] {
  const versions = new Set(others.map(({ version }) => version));
  return packages.filter(({ version }) => !versions.has(version));
}
