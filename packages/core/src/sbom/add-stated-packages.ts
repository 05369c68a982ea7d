import { type ReportMaps, reportMaps } from "../index/report-maps.ts";
import type { Digest } from "../model/digest.ts";
import type { Environment, IndexReport } from "../model/index-report.ts";
import { languageKey, type Package } from "../model/package.ts";
import type { SbomPackage } from "./sbom.ts";
import { placesOf } from "./sbom-report.ts";

/** A package of a bill of materials that belongs to an image. */
export interface StatedSbomPackage extends SbomPackage {
  /** The digest of the document. */
  readonly document: Digest;
}

/** An index report with the packages that documents state of its image. */
export interface ExtendedReport {
  /** Their environments have the digest of the document as `introducedIn`. */
  readonly report: IndexReport;
  /** The packages that were added. */
  readonly added: readonly StatedSbomPackage[];
  /** Packages of which no ecosystem and no distribution is known: there is nothing to match them by. */
  readonly unmatched: readonly StatedSbomPackage[];
}

/**
 * Adds the packages that bills of materials state of an image to its index report, so that they are matched as those of its layers are. What the
 * layers show is not added again: a package of a language with its version, and packages of a distribution as soon as the layers have a
 * database of such packages, which lists all of them. Nothing is taken away.
 * @example
 * declare const report: IndexReport;
 * declare const document: Digest;
 * const { packages } = readSbom(Buffer.from("{}"), "app.cdx.json");
 * const stated = packages.map((each) => ({ ...each, document }));
 * console.log(addStatedPackages(report, stated).added.length);
 */
export function addStatedPackages(report: IndexReport, stated: readonly StatedSbomPackage[]): ExtendedReport {
  const seen = new Set(Object.keys(report.packages).map((id) => seenAs(report, id)));
  const added: StatedSbomPackage[] = [];
  const unmatched: StatedSbomPackage[] = [];
  for (const each of stated) {
    const identity = statedAs(each);
    if (identity === undefined) unmatched.push(each);
    else if (!seen.has(identity)) {
      added.push(each);
      if (identity !== ofDistribution) seen.add(identity);
    }
  }
  const places = added.flatMap((each) =>
    placesOf(each, each.document).map(({ name: _, ...place }) => ({ ...place, introducedIn: each.document })),
  );
  return { report: added.length === 0 ? report : joined(report, reportMaps(places, [])), added, unmatched };
}

/** What all packages of a distribution count as. */
const ofDistribution = "distribution";

function identityOf(language: string | undefined, { name, version }: Pick<Package, "name" | "version">): string {
  return language === undefined ? ofDistribution : JSON.stringify([language, name, version.replace(/^v(?=\d)/, "")]);
}

function seenAs({ packages, environments, repositories }: IndexReport, id: string): string {
  const ids = (environments[id] ?? []).flatMap(({ repositoryIds }) => repositoryIds);
  const language = ids.map((each) => repositories[each]).find((each) => each?.key === languageKey)?.name;
  return identityOf(language, packages[id] ?? { name: "", version: "" });
}

/** Undefined for a package that nothing is known to match by. */
function statedAs({ package: found, repositories, distribution }: SbomPackage): string | undefined {
  const language = repositories.find(({ key }) => key === languageKey)?.name;
  return language === undefined && distribution === undefined ? undefined : identityOf(language, found);
}

/** Puts more behind what a report has: its own numbers stay. */
function joined(report: IndexReport, more: ReportMaps): IndexReport {
  const sources = Object.values(report.packages).flatMap(({ source }) => source?.id ?? []);
  const packageId = numberBehind([...Object.keys(report.packages), ...sources]);
  const releaseId = numberBehind(Object.keys(report.distributions));
  const repositoryId = numberBehind(Object.keys(report.repositories));
  const renumbered = ({ source, ...found }: Package): Package => ({
    ...found,
    id: packageId(found.id),
    ...(source && { source: renumbered(source) }),
  });
  const moved = ({ distributionId, repositoryIds, ...place }: Environment): Environment => ({
    ...place,
    ...(distributionId !== undefined && { distributionId: releaseId(distributionId) }),
    repositoryIds: repositoryIds.map(repositoryId),
  });
  return {
    ...report,
    packages: { ...report.packages, ...mapped(more.packages, packageId, renumbered) },
    distributions: {
      ...report.distributions,
      ...mapped(more.distributions, releaseId, (each) => ({ ...each, id: releaseId(each.id) })),
    },
    repositories: {
      ...report.repositories,
      ...mapped(more.repositories, repositoryId, (each) => ({ ...each, id: repositoryId(each.id) })),
    },
    environments: { ...report.environments, ...mapped(more.environments, packageId, (places) => places.map(moved)) },
  };
}

function numberBehind(ids: readonly string[]): (id: string) => string {
  const last = ids.reduce((most, id) => Math.max(most, Number(id)), 0);
  return (id) => String(last + Number(id));
}

function mapped<Value>(
  values: Readonly<Record<string, Value>>,
  idOf: (id: string) => string,
  change: (value: Value) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).map(([id, value]) => [idOf(id), change(value)]));
}
