import { allDistributions } from "../../distributions/all.ts";
import { type AdvisoryKeysOf, advisoryKeys, isAnyOf } from "../../distributions/shared/keys.ts";
import { distributionMatcher } from "../../match/distribution-matcher.ts";
import { type DistributionRules, type Scope, type Subject, sameScope } from "../../match/distribution-rules.ts";
import { isUnstated } from "../../match/missing-facts.ts";
import type { AdvisoryRule } from "../../model/advisory.ts";
import type { Package, PackageKind } from "../../model/package.ts";
import type { IndexRecord, Matcher } from "../../plugins/matcher.ts";
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { minorStreamScope } from "./minor-stream.ts";
import { moduleScope } from "./module-scope.ts";
import { flavourScope } from "./oracle-flavour.ts";
import { productScopes } from "./product-scope.ts";
import { compareVersionRelease, type RpmVersion, rpmVersions } from "./version.ts";

const rpmDistributions = allDistributions.filter(({ packaging }) => packaging === "rpm");

/** Distributions whose feeds also name source packages. */
const withSources: ReadonlySet<string> = new Set(["azurelinux", "centos", "fedora", "mariner", "photon", "rhel"]);

const mainKeysOf = advisoryKeys(rpmDistributions);

/** Judges rpm packages of all distributions that have a feed. */
export const rpmMatcher: Matcher = distributionMatcher({
  name: "rpm",
  keysRevision: 2,
  ecosystemsOf: keysOf,
  isFor: isAnyOf(rpmDistributions),
  namesSources: (did) => withSources.has(did),
  subjectOf,
  scopeOf: scopes(),
});

/** The ecosystem in the keys of advisories about Red Hat products that do not belong to one major release. */
export const redhatProductsKey = "rhel";

function keysOf(...at: Parameters<AdvisoryKeysOf>): readonly string[] {
  const keys = mainKeysOf(...at);
  return keys[0]?.startsWith("rhel:") ? [...keys, redhatProductsKey] : keys;
}

/** The order of sources whose epoch is unknown. */
const epochlessVersions: VersionScheme<RpmVersion> = { ...rpmVersions, compare: compareVersionRelease };

/**
 * The name, version and order for judging a package. The file name of a source package has no epoch. If the source has the version of its
 * binary, it has the binary's epoch too; otherwise (perl 5.26 and its perl-Errno 1.28) epochs are not compared.
 */
function subjectOf({ name, version, source }: Package, kind: PackageKind): Subject {
  if (kind === "BINARY" || source === undefined) return { name, version, versions: rpmVersions };
  if (/^\d+:/.test(source.version)) return { ...source, versions: rpmVersions };
  if (version.replace(/^\d+:/, "") === source.version) return { name: source.name, version, versions: rpmVersions };
  return { name: source.name, version: source.version, versions: epochlessVersions };
}

function scopes(): DistributionRules["scopeOf"] {
  const productScope = productScopes();
  return (record, advisory) => {
    const { package: found } = record;
    if (advisory.ecosystem.startsWith("ol:")) {
      const flavour = flavourScope(found, advisory);
      if (flavour.kind !== "same") return flavour;
    }
    const product = productScope(record, advisory);
    if (product.kind !== "same") return product;
    if (needsEpoch(record, advisory)) return unknownEpoch;
    const module = mayBeModular(advisory.ecosystem) ? moduleScope(found, advisory) : sameScope;
    if (module.kind === "other" || advisory.cpes === undefined) return module;
    const stream = minorStreamScope(subjectOf(found, advisory.packageKind).version, advisory);
    return stream.kind === "same" ? module : stream;
  };
}

/** An epoch that is not stated is not 0: a version without it is below each one with an epoch. */
const unknownEpoch: Scope = {
  kind: "unknown",
  reason: "epoch-unknown",
  detail: "the advisory names an epoch, and the document that lists the package does not state whether it has one",
};

function needsEpoch(record: IndexRecord, { packageKind, ranges }: AdvisoryRule): boolean {
  if (packageKind === "SOURCE" || !isUnstated(record, "epoch")) return false;
  return ranges.some(({ fixed, lastAffected, below }) => /^[1-9]\d*:/.test(fixed ?? lastAffected ?? below ?? ""));
}

const modularFamilies = rpmDistributions.filter(({ hasModules }) => hasModules).map(({ did }) => did);

function mayBeModular(ecosystem: string): boolean {
  return modularFamilies.some((family) => ecosystem === family || ecosystem.startsWith(`${family}:`));
}
