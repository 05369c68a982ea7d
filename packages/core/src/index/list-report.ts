import type { Digest } from "../model/digest.ts";
import type { Distribution } from "../model/distribution.ts";
import type { IndexReport, Problem, UnassessedPackages } from "../model/index-report.ts";
import { thirdPartyKey } from "../model/package.ts";
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
  /** The distribution that the list is about, which may have no package in it. */
  readonly distribution?: Omit<Distribution, "id">;
  /** Entries of the list that could not be read. */
  readonly problems: readonly Problem[];
  /** What the list says that it lacks. */
  readonly unassessed?: readonly UnassessedPackages[];
}

/**
 * The index report of a list of packages. Packages of no known distribution or ecosystem are included; those that no advisories can be looked up
 * for are undecided when the report is matched.
 * @example
 * const { package: found, repositories } = purlRecord("pkg:npm/lodash@4.17.20");
 * const digest = parseDigest(`sha256:${"0".repeat(64)}`);
 * const packages = [{ name: "lodash", package: found, packageDb: "list", repositories }];
 * const report = listReport({ digest, packages, problems: [] });
 */
export function listReport({ digest, packages, distribution, problems, unassessed = [] }: PackageList): IndexReport {
  const hasPackages = packages.some((found) => found.distribution?.did === distribution?.did);
  return {
    manifestDigest: digest,
    state: "IndexFinished",
    success: true,
    ...reportMaps(
      packages.map(({ name: _, ...found }) => ({ ...found, introducedIn: digest })),
      [],
      { stated: hasPackages ? undefined : distribution }, // packages may name the release more exactly
    ),
    coverage: {
      status: problems.length > 0 || unassessed.length > 0 ? "partial" : "complete",
      layers: [{ digest, status: "read" }],
      databases: [],
      problems,
      unassessed,
      thirdPartyPackages: new Set(packages.filter(isThirdParty).map((each) => each.package)).size,
    },
  };
}

function isThirdParty({ repositories }: StatedPackage): boolean {
  return repositories.some(({ key }) => key === thirdPartyKey);
}
