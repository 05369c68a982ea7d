import type { Digest } from "../model/digest.ts";
import { type IndexReport, maxEvidencePaths, type Problem } from "../model/index-report.ts";
import type { CoalescedPackage } from "../plugins/coalescer.ts";
import { reportMaps } from "./report-maps.ts";

/** A package of a list, with everything that matching uses. */
export type StatedPackage = Omit<CoalescedPackage, "introducedIn"> & {
  /** The name in the list, shown in the coverage. */
  readonly name: string;
};

/** A list of packages from another tool. */
export interface PackageList {
  /** The digest of the list. It is the report's manifest digest and the digest of its only layer. */
  readonly digest: Digest;
  readonly packages: readonly StatedPackage[];
  /** Entries of the list that could not be read. */
  readonly problems: readonly Problem[];
}

/**
 * The index report of a list of packages. Packages without a distribution and a known ecosystem are included and counted as not
 * assessed, since no matcher accepts them.
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
