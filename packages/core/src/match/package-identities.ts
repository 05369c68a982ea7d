import type { IndexReport } from "../model/index-report.ts";
import { languageKey, type Package } from "../model/package.ts";
import { commonName } from "../model/package-name.ts";
import type { VulnerabilityReport } from "./report.ts";

/** The parts of a report that identify packages. */
export type ReportInventory = Pick<IndexReport, "packages" | "environments" | "repositories">;

/** The identity of each package across images, by package id: ecosystem, name, kind, architecture and module, without version and id. */
export function packageIdentities({
  packages,
  environments,
  repositories,
}: ReportInventory): ReadonlyMap<string, string> {
  const ecosystemOf = (id: string) => {
    const known = (environments[id] ?? []).flatMap(({ repositoryIds }) =>
      repositoryIds.map((each) => repositories[each]),
    );
    return known.find((repository) => repository?.key === languageKey)?.name ?? "";
  };
  return new Map(Object.entries(packages).map(([id, found]) => [found.id, identityOf(found, ecosystemOf(id))]));
}

function identityOf({ name, kind, arch, module }: Package, ecosystem: string): string {
  return [commonName(ecosystem, name), kind, arch ?? "", module ?? "", ecosystem].join("\n");
}

/** The parts of a report that contain the origin of packages. */
type ReportEvidence = Pick<VulnerabilityReport, "packages" | "environments" | "distributions" | "repositories">;

/** The origin of each package by id: the facts that verdicts use besides name and version (release, repositories, source, CPE). Contains no ids. */
export function packageEvidence(report: ReportEvidence): ReadonlyMap<string, string> {
  const { packages, environments, distributions, repositories } = report;
  const found = Object.values(packages).map(({ id, source, cpe }) => {
    const places = (environments[id] ?? []).map(({ distributionId, repositoryIds }) => {
      const { did, versionId, versionCodeName } = distributions[distributionId ?? ""] ?? {};
      const from = repositoryIds.map((each) => {
        const { name, key, uri } = repositories[each] ?? {};
        return [name, key, uri, repositories[each]?.cpe];
      });
      return JSON.stringify([did, versionId, versionCodeName, from.map((each) => JSON.stringify(each)).sort()]);
    });
    return [id, JSON.stringify([source?.name, source?.version, cpe, [...new Set(places)].sort()])] as const;
  });
  return new Map(found);
}
