import type { VulnerabilityReport } from "./report.ts";

/** The parts of a report that contain the origin of packages. */
export type ReportEvidence = Pick<VulnerabilityReport, "packages" | "environments" | "distributions" | "repositories">;

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
