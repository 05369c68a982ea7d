import type { Environment, IndexReport } from "../model/index-report.ts";
import { languageKey, type Package } from "../model/package.ts";
import { lookupName } from "../model/package-name.ts";
import type { IndexRecord } from "../plugins/matcher.ts";
import { ownerOf } from "./owners.ts";

/**
 * The index records of an image: one per package environment, in the order of package ids and environments. A record contains everything
 * in the image that its verdicts depend on, including the packages that own its files.
 * @example
 * declare const report: IndexReport;
 * for (const { package: found, distribution } of indexRecords(report)) console.log(found.name, distribution?.did);
 */
export function indexRecords(report: IndexReport): readonly IndexRecord[] {
  const records = Object.keys(report.packages)
    .sort(byNumber)
    .flatMap((id) => {
      const found = report.packages[id];
      const environments = (Object.hasOwn(report.environments, id) && report.environments[id]) || [];
      return found === undefined ? [] : environments.map((environment) => recordOf(report, found, environment));
    });
  return withSameSoftware(withOwners(records));
}

/** Adds owners, which are packages of the distribution. Most images have few packages with an owner. */
function withOwners(records: readonly IndexRecord[]): readonly IndexRecord[] {
  const names = new Set(records.flatMap((record) => ownerOf(record) ?? []));
  if (names.size === 0) return records;
  const isOwner = (record: IndexRecord) =>
    names.has(record.package.name) && record.distribution !== undefined && ownerOf(record) === undefined;
  const byName = Map.groupBy(records.filter(isOwner), (record) => record.package.name);
  return records.map((record) => {
    const owners = byName.get(ownerOf(record) ?? "");
    return owners === undefined ? record : { ...record, owners };
  });
}

function recordOf(report: IndexReport, found: Package, environment: Environment): IndexRecord {
  const distribution = report.distributions[environment.distributionId ?? ""];
  const repositories = environment.repositoryIds.flatMap((id) => report.repositories[id] ?? []);
  return {
    package: found,
    packageDb: environment.packageDb,
    introducedIn: environment.introducedIn,
    distribution,
    repositories,
  };
}

/** Ids are decimal numbers; any other id is ordered by its text. */
function byNumber(a: string, b: string): number {
  return Number(a) - Number(b) || (a < b ? -1 : 1);
}

/** The name that a package has in another repository, in which it is the same software; undefined if it has none there. */
interface SameSoftware {
  readonly from: string;
  readonly to: string;
  nameOf(name: string): string | undefined;
}

/**
 * conda lists `numpy` and `r-rlang`, and the files that it installs contain the metadata of PyPI and CRAN, in which they are found again. The command
 * of Go is a well-known program, and its build information has Go's own package.
 */
const sameSoftware: readonly SameSoftware[] = [
  { from: "conda", to: "pypi", nameOf: (name) => lookupName("PyPI", name) },
  { from: "conda", to: "cran", nameOf: (name) => (name.startsWith("r-") ? name.slice("r-".length) : undefined) },
  { from: "generic", to: "go", nameOf: (name) => (name === "go" ? "toolchain" : undefined) },
];

/** Adds to each package the one of a language that is the same software. Both have the same version; CRAN's `1.0-6` is conda's `1.0_6`. */
function withSameSoftware(records: readonly IndexRecord[]): readonly IndexRecord[] {
  if (!records.some(hasOtherNames)) return records;
  const byName = new Map(records.map((record) => [keyOf(languageOf(record), record.package), record]));
  return records.map((record) => {
    const same = hasOtherNames(record) ? findSame(record, byName) : undefined;
    return same === undefined ? record : { ...record, sameSoftware: same };
  });
}

function hasOtherNames({ package: { name }, ...record }: IndexRecord): boolean {
  const language = languageOf(record);
  return sameSoftware.some(({ from, nameOf }) => from === language && nameOf(name) !== undefined);
}

function findSame(record: IndexRecord, byName: ReadonlyMap<string, IndexRecord>): IndexRecord | undefined {
  const { name, version } = record.package;
  for (const { from, to, nameOf } of sameSoftware) {
    const named = from === languageOf(record) ? nameOf(name) : undefined;
    const found = named === undefined ? undefined : byName.get(keyOf(to, { name: named, version }));
    if (found !== undefined) return found;
  }
  return undefined;
}

function languageOf({ repositories }: Pick<IndexRecord, "repositories">): string | undefined {
  return repositories.find(({ key }) => key === languageKey)?.name;
}

function keyOf(
  repository: string | undefined,
  { name, version }: Pick<IndexRecord["package"], "name" | "version">,
): string {
  const plain = repository === "pypi" ? lookupName("PyPI", name) : name.toLowerCase();
  return [repository ?? "", plain, version.replaceAll("-", "_")].join("\0");
}
