import { allEcosystems, ScanError, type VulnerabilityReport } from "@plimsoll/core";
import { maxVersion, recordPurl, riskFinder } from "@plimsoll/core/internal";
import type { VersionScheme } from "@plimsoll/core/versions";
import { cooperativeYield } from "@plimsoll/store";
import { readByKeys } from "../store/bounded-reads.ts";
import type { RegistryDb, Row } from "../store/tables/all.ts";
import { listUpgrades } from "./namespace-security/queries.ts";

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
function keyOf(upgraded: FixablePackage): string {
  const { type, name, version } = upgradedOf(upgraded);
  return [type, name, version].join("\n");
}

/** The package to upgrade: the source package, if there is one. */
function upgradedOf({ Name, Version, Purl = "", Source }: FixablePackage) {
  const type = Purl.startsWith("pkg:") ? (Purl.slice("pkg:".length).split("/", 1)[0] ?? "") : "";
  return { type, name: Source?.Name ?? Name, version: Source?.Version ?? Version };
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

/** The package URL of a package of a report; undefined if none can be told. */
export function purlOf(report: VulnerabilityReport, id: string): string | undefined {
  const found = report.packages[id];
  if (found === undefined) return undefined;
  const [environment] = report.environments[id] ?? [];
  const distribution = report.distributions[environment?.distributionId ?? ""];
  const repositories = (environment?.repositoryIds ?? []).flatMap((each) => report.repositories[each] ?? []);
  return recordPurl({ package: found, repositories, distribution });
}

/** An upgrade of a package of an image, and how many critical, high and exploited vulnerabilities it removes there. */
export type FoundUpgrade = Omit<Row<"found_upgrade">, "manifest_id">;

/** The most upgrades that are stored for an image: those that remove the most. */
const mostUpgrades = 200;

/** The upgrades that remove critical or high vulnerabilities of an image, the most first. A vulnerability counts once for an upgrade. */
export async function findUpgrades(report: VulnerabilityReport): Promise<readonly FoundUpgrade[]> {
  const yieldToOthers = cooperativeYield();
  const findRisk = riskFinder(report);
  const fixable: (FixablePackage & { readonly ids: readonly string[] })[] = [];
  for (const [packageId, all] of Object.entries(report.packageVulnerabilities)) {
    const { name: Name = "", version: Version = "", source } = report.packages[packageId] ?? {};
    const ids = all.filter((id) => report.vulnerabilities[id]?.fixedInVersion);
    const Vulnerabilities = ids.map((id) => ({ FixedBy: report.vulnerabilities[id]?.fixedInVersion ?? "" }));
    const Source = source && { Name: source.name, Version: source.version };
    if (ids.length > 0) fixable.push({ Name, Version, Purl: purlOf(report, packageId), Source, Vulnerabilities, ids });
    await yieldToOthers();
  }
  const versionFor = upgradesOf(fixable);
  const upgrades = new Map<string, Counted>();
  for (const each of fixable) {
    for (const id of each.ids) {
      const vulnerability = report.vulnerabilities[id];
      if (vulnerability === undefined) continue;
      const { severity, isExploited } = findRisk(id, vulnerability);
      if (severity !== "Critical" && severity !== "High") continue;
      const { type: package_type, name, version } = upgradedOf(each);
      const to_version = versionFor(each) ?? vulnerability.fixedInVersion ?? "";
      const key = JSON.stringify([package_type, name, version, to_version]);
      const counted = upgrades.get(key) ?? { package_type, package: name, version, to_version, removed: new Map() };
      const before = counted.removed.get(vulnerability.name);
      counted.removed.set(vulnerability.name, {
        isCritical: severity === "Critical" || before?.isCritical === true,
        isExploited: isExploited || before?.isExploited === true,
      });
      upgrades.set(key, counted);
    }
    await yieldToOthers();
  }
  return [...upgrades.values()].map(countRemoved).sort(byRemoved).slice(0, mostUpgrades);
}

interface Counted extends Pick<FoundUpgrade, "package_type" | "package" | "version" | "to_version"> {
  /** By the name of the vulnerability. */
  readonly removed: Map<string, { readonly isCritical: boolean; readonly isExploited: boolean }>;
}

function countRemoved({ removed, ...upgrade }: Counted): FoundUpgrade {
  const found = [...removed.values()];
  const critical = found.filter(({ isCritical }) => isCritical).length;
  const exploited = found.filter(({ isExploited }) => isExploited).length;
  return { ...upgrade, critical, high: found.length - critical, exploited };
}

/** Compares upgrades: negative if the first removes more. */
function byRemoved(one: FoundUpgrade, other: FoundUpgrade): number {
  for (const count of ["critical", "high", "exploited"] as const) {
    if (one[count] !== other[count]) return other[count] - one[count];
  }
  return one.package < other.package ? -1 : Number(one.package > other.package);
}

/** An upgrade in several images: what it removes in all of them. */
export interface SharedUpgrade extends FoundUpgrade {
  readonly images: number;
  /** Some of the repositories of the images. */
  readonly repositories: readonly string[];
}

/** How many repositories are named. */
const mostRepositories = 5;

/** Sums up the upgrades of images, some images at a time. */
export class UpgradeSums {
  readonly #sums = new Map<string, SharedUpgrade>();

  /** Adds the upgrades of some images. */
  async add(db: RegistryDb, images: readonly { readonly id: string; readonly repository: string }[]): Promise<void> {
    const places = new Map(images.map(({ id, repository }) => [id, repository]));
    const found = readByKeys<Row<"found_upgrade">>([...places.keys()], (ids) => listUpgrades(db, ids));
    for await (const rows of found) {
      for (const { manifest_id: id, ...upgrade } of rows) this.#addOne(upgrade, places.get(id) ?? "");
    }
  }

  #addOne(upgrade: FoundUpgrade, repository: string): void {
    const { package_type, package: name, version, to_version, critical, high, exploited } = upgrade;
    const key = JSON.stringify([package_type, name, version, to_version]);
    const before = this.#sums.get(key) ?? { ...upgrade, ...nothing };
    const isNamed = before.repositories.length === mostRepositories || before.repositories.includes(repository);
    this.#sums.set(key, {
      ...before,
      critical: before.critical + critical,
      high: before.high + high,
      exploited: before.exploited + exploited,
      images: before.images + 1,
      repositories: isNamed ? before.repositories : [...before.repositories, repository],
    });
  }

  /** Those that remove the most, the most first. */
  first(count: number): readonly SharedUpgrade[] {
    return [...this.#sums.values()].sort(byRemoved).slice(0, count);
  }
}

const nothing = { critical: 0, high: 0, exploited: 0, images: 0, repositories: [] } as const;
