import type { Digest } from "../model/digest.ts";
import { type IndexReport, maxEvidencePaths, type Problem } from "../model/index-report.ts";
import type { CoalescedPackage } from "../plugins/coalescer.ts";
import { reportMaps } from "./report-maps.ts";

/** A package that a list names, with all that matching looks at. */
export type StatedPackage = Omit<CoalescedPackage, "introducedIn"> & {
  /** As the list names it, for coverage. */
  readonly name: string;
};

/** A list of packages that was made elsewhere. */
export interface PackageList {
  /** Of the list: it stands for the image and its one layer. */
  readonly digest: Digest;
  readonly packages: readonly StatedPackage[];
  /** What of the list could not be read. */
  readonly problems: readonly Problem[];
}

/**
 * The index report of a list of packages. Those of neither a distribution nor a known ecosystem are listed and counted as not
 * assessed, since no matcher speaks of them.
 * @example
 * const { package: found, repositories } = purlRecord("pkg:npm/lodash@4.17.20");
 * const digest = parseDigest(`sha256:${"0".repeat(64)}`);
 * const packages = [{ name: "lodash", package: found, packageDb: "list", repositories }];
 * const report = listReport({ digest, packages, problems: [] });
 */
export function listReport({ digest, packages, problems }: PackageList): IndexReport {
  const unknown = packages.filter((each) => each.distribution === undefined && each.repositories.length === 0);
  const evidence = unknown
    .map(({ name }) => ({ path: name, layer: digest }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const other = { kind: "other", count: unknown.length, evidence: evidence.slice(0, maxEvidencePaths) } as const;
  return {
    manifestDigest: digest,
    state: "IndexFinished",
    success: true,
    ...reportMaps(
      packages.map(({ name: _, ...found }) => ({ ...found, introducedIn: digest })),
      [],
    ),
    coverage: {
      status: problems.length + unknown.length > 0 ? "partial" : "complete",
      layers: [{ digest, status: "read" }],
      databases: [],
      problems,
      unassessed: unknown.length > 0 ? [other] : [],
      thirdPartyPackages: 0,
    },
  };
}
