import type { IndexReport } from "../model/index-report.ts";
import { languageKey, type Package } from "../model/package.ts";
import { commonName } from "../model/package-name.ts";
import type { VulnerabilityReport } from "./report.ts";

/** The parts of a report that identify packages. */
export type ReportInventory = Pick<IndexReport, "packages" | "environments" | "repositories">;

/** The packages of a report with a name, or with a source of that name, in any spelling that the ecosystem takes for the same: `PyYAML` and `pyyaml`. */
export function packagesNamed(report: ReportInventory, name: string): readonly Package[] {
  const ecosystemOf = ecosystemsIn(report);
  return Object.values(report.packages).filter((each) => {
    const plain = (text: string) => commonName(ecosystemOf(each.id), text);
    return plain(each.name) === plain(name) || each.source?.name === name;
  });
}

/** The identity of each package across images, by package id: ecosystem, name, kind, architecture and module, without version and id. */
export function packageIdentities(report: ReportInventory): ReadonlyMap<string, string> {
  const ecosystemOf = ecosystemsIn(report);
  return new Map(Object.entries(report.packages).map(([id, found]) => [found.id, identityOf(found, ecosystemOf(id))]));
}

/** A function that gives the repository of a package's language; empty for other packages. */
function ecosystemsIn({ environments, repositories }: ReportInventory): (id: string) => string {
  return (id) => {
    const known = (environments[id] ?? []).flatMap(({ repositoryIds }) =>
      repositoryIds.map((each) => repositories[each]),
    );
    return known.find((repository) => repository?.key === languageKey)?.name ?? "";
  };
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
