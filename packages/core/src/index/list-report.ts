import type { Digest } from "../model/digest.ts";
import type { Distribution } from "../model/distribution.ts";
import type { IndexReport, Problem, UnassessedPackages } from "../model/index-report.ts";
import { thirdPartyKey } from "../model/package.ts";
import type { CoalescedPackage, ResolvedNeed } from "../plugins/coalescer.ts";
import { reportMaps } from "./report-maps.ts";

/** A package of a list, with everything that matching uses. */
export type StatedPackage = Omit<CoalescedPackage, "introducedIn"> & {
  /** The name in the list, shown in the coverage. */
  readonly name: string;
  /** By what others in the list name it. */
  readonly reference?: string;
  /** What it needs. Absent: the list does not say. */
  readonly needs?: { readonly references: readonly string[]; readonly isPartial?: true; readonly isIncomplete?: true };
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
  const coalesced = packages.map(({ name: _, reference: _reference, needs: _needs, ...found }) => {
    return { ...found, introducedIn: digest };
  });
  const hasPackages = packages.some((found) => found.distribution?.did === distribution?.did);
  return {
    manifestDigest: digest,
    state: "IndexFinished",
    success: true,
    ...reportMaps(coalesced, [], {
      stated: hasPackages ? undefined : distribution, // packages may name the release more exactly
      ...needsIn(packages, coalesced),
    }),
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

/** What packages of a list need. What is no package of the list does not count: the image itself, a lock file. */
function needsIn(packages: readonly StatedPackage[], coalesced: readonly CoalescedPackage[]) {
  const stated = new Map(coalesced.map((each, at) => [each, packages[at]?.needs] as const));
  const byReference = new Map(packages.map(({ reference = "" }, at) => [reference, coalesced[at]] as const));
  byReference.delete("");
  return {
    needsOf: (found: CoalescedPackage): readonly ResolvedNeed[] => {
      const { references = [], isIncomplete } = stated.get(found) ?? {};
      const met = references.flatMap((need) => {
        const other = byReference.get(need);
        return other === undefined ? [] : [{ need, met: [other] }];
      });
      return isIncomplete === undefined ? met : [...met, { need: "more, which is not listed", met: [] }];
    },
    statesNeeds: (found: CoalescedPackage): boolean => {
      const needs = stated.get(found);
      return needs !== undefined && needs.isPartial === undefined;
    },
  };
}
