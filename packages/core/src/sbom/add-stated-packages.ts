import { type ReportMaps, reportMaps } from "../index/report-maps.ts";
import type { Digest } from "../model/digest.ts";
import type { Environment, IndexReport } from "../model/index-report.ts";
import { languageKey, type Package, scopeKey } from "../model/package.ts";
import type { SbomPackage } from "./sbom.ts";
import { placesOf } from "./sbom-report.ts";

/** A package of a bill of materials for an image. */
export interface StatedSbomPackage extends SbomPackage {
  /** The digest of the document. */
  readonly document: Digest;
}

/** An index report with the packages of its image's bills of materials. */
export interface ExtendedReport {
  /** Their environments have the digest of the document as `introducedIn`. */
  readonly report: IndexReport;
  /** The packages that were added. */
  readonly added: readonly StatedSbomPackage[];
  /** Packages without a known ecosystem, distribution or CPE name, which cannot be matched. */
  readonly unmatched: readonly StatedSbomPackage[];
}

/**
 * Adds the packages of bills of materials to the index report of their image, so that they are matched like packages of its layers. A package of a
 * language is not added if the layers have the same version. No package of a distribution is added if the layers have any, because a database of
 * such packages lists all of them. What the document says is not for the run time is not in the image. Nothing is removed.
 * @example
 * declare const report: IndexReport;
 * declare const document: Digest;
 * const { packages } = readSbom(Buffer.from("{}"), "app.cdx.json");
 * const stated = packages.map((each) => ({ ...each, document }));
 * console.log(addStatedPackages(report, stated).added.length);
 */
export function addStatedPackages(report: IndexReport, stated: readonly StatedSbomPackage[]): ExtendedReport {
  const seen = new Set(Object.keys(report.packages).map((id) => reportedIdentity(report, id)));
  const added: StatedSbomPackage[] = [];
  const unmatched: StatedSbomPackage[] = [];
  for (const each of stated.filter(({ repositories }) => !repositories.some(({ key }) => key === scopeKey))) {
    const identity = statedIdentity(each);
    if (identity === undefined) unmatched.push(each);
    else if (!seen.has(identity)) {
      added.push(each);
      if (identity !== distributionIdentity) seen.add(identity);
    }
  }
  const places = added.flatMap((each) =>
    placesOf(each, each.document).map(({ name: _, ...place }) => ({ ...place, introducedIn: each.document })),
  );
  return { report: added.length === 0 ? report : mergeMaps(report, reportMaps(places, [])), added, unmatched };
}

/** The common identity of all packages of a distribution. */
const distributionIdentity = "distribution";

function identityOf(language: string | undefined, { name, version }: Pick<Package, "name" | "version">): string {
  return language === undefined
    ? distributionIdentity
    : JSON.stringify([language, name, version.replace(/^v(?=\d)/, "")]);
}

function reportedIdentity({ packages, environments, repositories }: IndexReport, id: string): string {
  const ids = (environments[id] ?? []).flatMap(({ repositoryIds }) => repositoryIds);
  const language = ids.map((each) => repositories[each]).find((each) => each?.key === languageKey)?.name;
  return identityOf(language, packages[id] ?? { name: "", version: "" });
}

/** Undefined for a package that cannot be matched. */
function statedIdentity({ package: found, repositories, distribution }: SbomPackage): string | undefined {
  const language = repositories.find(({ key }) => key === languageKey)?.name;
  if (language !== undefined || distribution !== undefined) return identityOf(language, found);
  return found.cpe === undefined ? undefined : identityOf(found.cpe, found);
}

/** The report with `more` added. Ids of the report remain, those of `more` are renumbered. */
function mergeMaps(report: IndexReport, more: ReportMaps): IndexReport {
  const sources = Object.values(report.packages).flatMap(({ source }) => source?.id ?? []);
  const packageId = idShifter([...Object.keys(report.packages), ...sources]);
  const releaseId = idShifter(Object.keys(report.distributions));
  const repositoryId = idShifter(Object.keys(report.repositories));
  const renumbered = ({ source, ...found }: Package): Package => ({
    ...found,
    id: packageId(found.id),
    source: source && renumbered(source),
  });
  const moved = ({ distributionId, repositoryIds, ...place }: Environment): Environment => ({
    ...place,
    distributionId: distributionId === undefined ? undefined : releaseId(distributionId),
    repositoryIds: repositoryIds.map(repositoryId),
  });
  return {
    ...report,
    packages: { ...report.packages, ...mapEntries(more.packages, packageId, renumbered) },
    distributions: {
      ...report.distributions,
      ...mapEntries(more.distributions, releaseId, (each) => ({ ...each, id: releaseId(each.id) })),
    },
    repositories: {
      ...report.repositories,
      ...mapEntries(more.repositories, repositoryId, (each) => ({ ...each, id: repositoryId(each.id) })),
    },
    environments: {
      ...report.environments,
      ...mapEntries(more.environments, packageId, (places) => places.map(moved)),
    },
    dependencies: report.dependencies,
    details: more.details && { ...report.details, ...mapEntries(more.details, packageId, (each) => each) },
  };
}

/** Renumbers ids so that they follow the given ones. */
function idShifter(ids: readonly string[]): (id: string) => string {
  const last = ids.reduce((most, id) => Math.max(most, Number(id)), 0);
  return (id) => String(last + Number(id));
}

function mapEntries<Value>(
  values: Readonly<Record<string, Value>>,
  idOf: (id: string) => string,
  change: (value: Value) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).map(([id, value]) => [idOf(id), change(value)]));
}
