import { summarizeLicenses } from "../licenses/spdx.ts";
import type { IndexReport } from "../model/index-report.ts";
import { orderOf } from "../versions/define-order.ts";
import { packageIdentities } from "./package-identities.ts";

/** The differences between what two reports say about packages that both have. Absent where one of them does not say it. */
export interface BillDiff {
  /** Packages with another licence, sorted by name: SPDX expressions; undefined for none. */
  readonly licenses?: readonly { readonly name: string; readonly before?: string; readonly after?: string }[];
  /** Packages that need others, sorted by name: the names of those that they need only before or only after. */
  readonly dependencies?: readonly {
    readonly name: string;
    readonly added: readonly string[];
    readonly removed: readonly string[];
  }[];
}

/**
 * Compares the licences and dependencies of the packages that two reports have, at any version.
 * @example
 * declare const before: IndexReport;
 * declare const after: IndexReport;
 * for (const { name, before: old, after: now } of diffBills(before, after).licenses ?? []) console.log(name, old, now);
 */
export function diffBills(
  before: Pick<IndexReport, "packages" | "environments" | "repositories" | "details" | "dependencies">,
  after: Pick<IndexReport, "packages" | "environments" | "repositories" | "details" | "dependencies">,
): BillDiff {
  const pairs = pairsOf(before, after);
  const hasLicenses = before.details !== undefined && after.details !== undefined;
  const hasDependencies = before.dependencies !== undefined && after.dependencies !== undefined;
  return {
    licenses: hasLicenses ? pairs.flatMap((pair) => licenseChange(before, after, pair)) : undefined,
    dependencies: hasDependencies ? pairs.flatMap((pair) => dependencyChange(before, after, pair)) : undefined,
  };
}

type Side = Parameters<typeof diffBills>[0];

/** The ids of a package in both reports: it may have several versions. */
interface Pair {
  readonly name: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

function pairsOf(before: Side, after: Side): readonly Pair[] {
  const [a, b] = [idsByIdentity(before), idsByIdentity(after)];
  const pairs = [...a].flatMap(([identity, ids]) => {
    const others = b.get(identity);
    const name = before.packages[ids[0] ?? ""]?.name ?? "";
    return others === undefined ? [] : [{ name, before: ids, after: others }];
  });
  return pairs.sort((one, other) => orderOf(one.name, other.name));
}

function idsByIdentity(side: Side): ReadonlyMap<string, readonly string[]> {
  const identities = packageIdentities(side);
  return Map.groupBy(Object.keys(side.packages), (id) => identities.get(id) ?? "");
}

function licenseChange(before: Side, after: Side, pair: Pair): NonNullable<BillDiff["licenses"]> {
  const [old, now] = [licensesOf(before, pair.before), licensesOf(after, pair.after)];
  return old === now ? [] : [{ name: pair.name, before: old, after: now }];
}

/** Those of all versions. */
function licensesOf({ details = {} }: Side, ids: readonly string[]): string | undefined {
  const found = ids.flatMap((id) => summarizeLicenses(details[id] ?? {})?.expression ?? []);
  return found.length === 0 ? undefined : [...new Set(found)].sort().join(", ");
}

function dependencyChange(before: Side, after: Side, pair: Pair): NonNullable<BillDiff["dependencies"]> {
  const [old, now] = [needsOf(before, pair.before), needsOf(after, pair.after)];
  if (old === undefined || now === undefined) return [];
  const [added, removed] = [[...now].filter((each) => !old.has(each)), [...old].filter((each) => !now.has(each))];
  return added.length + removed.length === 0 ? [] : [{ name: pair.name, added: added.sort(), removed: removed.sort() }];
}

/** The names of what all versions need, met or not; undefined if one does not say it. */
function needsOf({ packages, dependencies = {} }: Side, ids: readonly string[]): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const id of ids) {
    const needs = dependencies[id];
    if (needs === undefined) return undefined;
    for (const each of needs.packageIds) names.add(packages[each]?.name ?? "");
  }
  return names;
}
