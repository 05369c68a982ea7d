import { allDistributions } from "../../distributions/all.ts";
import { advisoryKeys } from "../../distributions/shared/keys.ts";
import { distributionMatcher } from "../../match/distribution-matcher.ts";
import { type Scope, type Subject, sameScope } from "../../match/distribution-rules.ts";
import type { AdvisoryRule } from "../../model/advisory.ts";
import type { Package, PackageKind } from "../../model/package.ts";
import type { Matcher, VersionScheme } from "../../plugins.ts";
import { moduleScope } from "./module-scope.ts";
import { flavourScope } from "./oracle-flavour.ts";
import { compareVersionRelease, type RpmVersion, rpmVersions } from "./version.ts";

const distributions = allDistributions.filter(({ packaging }) => packaging === "rpm");

/** Judges rpm packages of the distributions that feeds speak of. */
export const rpmMatcher: Matcher = distributionMatcher({
  name: "rpm",
  keysRevision: 1,
  ecosystemOf: advisoryKeys(distributions),
  subjectOf,
  scopeOf,
});

/** The order of sources whose epoch is unknown. */
const epochlessVersions: VersionScheme<RpmVersion> = { ...rpmVersions, compare: compareVersionRelease };

/**
 * The name of a source package's file lacks the epoch. Where the source has the version of its binary it has the
 * binary's epoch too; else (perl 5.26 and its perl-Errno 1.28) epochs are left out of the comparison.
 */
function subjectOf({ name, version, source }: Package, kind: PackageKind): Subject {
  if (kind === "BINARY" || source === undefined) return { name, version, versions: rpmVersions };
  if (/^\d+:/.test(source.version)) return { ...source, versions: rpmVersions };
  if (version.replace(/^\d+:/, "") === source.version) return { name: source.name, version, versions: rpmVersions };
  return { name: source.name, version: source.version, versions: epochlessVersions };
}

function scopeOf(found: Package, advisory: AdvisoryRule): Scope {
  if (advisory.ecosystem.startsWith("ol:")) {
    const flavour = flavourScope(found, advisory);
    if (flavour.kind !== "same") return flavour;
  }
  return mayBeModular(advisory.ecosystem) ? moduleScope(found, advisory) : sameScope;
}

const modularFamilies = distributions.filter(({ hasModules }) => hasModules).map(({ did }) => `${did}:`);

function mayBeModular(ecosystem: string): boolean {
  return modularFamilies.some((family) => ecosystem.startsWith(family));
}
