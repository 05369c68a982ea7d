import { allDistributions } from "../../distributions/all.ts";
import { type AdvisoryKeysOf, advisoryKeys, isAnyOf } from "../../distributions/shared/keys.ts";
import { distributionMatcher } from "../../match/distribution-matcher.ts";
import { type DistributionRules, type Scope, type Subject, sameScope } from "../../match/distribution-rules.ts";
import { isUnstated } from "../../match/missing-facts.ts";
import type { AdvisoryRule } from "../../model/advisory.ts";
import type { Package, PackageKind } from "../../model/package.ts";
import type { IndexRecord, Matcher } from "../../plugins/matcher.ts";
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { asStated, compareVersionRelease } from "./compare-version-release.ts";
import { minorStreamScope, productScopes, redhatProductsKey } from "./product-scope.ts";
import { type RpmVersion, rpmVersions } from "./version.ts";

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
  hasReleases: true,
  subjectOf,
  scopeOf: scopes(),
});

function keysOf(...at: Parameters<AdvisoryKeysOf>): readonly string[] {
  const keys = mainKeysOf(...at);
  return keys[0]?.startsWith("rhel:") ? [...keys, redhatProductsKey] : keys;
}

/** The order of sources whose epoch is unknown. */
const epochlessVersions: VersionScheme<RpmVersion> = {
  ...rpmVersions,
  compare: compareVersionRelease,
  compareStated: (installed, stated) => compareVersionRelease(asStated(installed, stated), stated),
};

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

/** The mark in the release of every rpm that was built for a module. */
const modularRelease = /\.module[+_]el/;

/**
 * Whether an advisory is about the module of a package. Streams of a module are different products with one name: a fix in
 * 12.1 of nodejs:12 says nothing about nodejs:16. Builds before RHEL 8.6 lack the label on some packages, and some feeds never
 * have it. The release still shows that the package is of a module, but not which.
 */
function moduleScope(found: Package, advisory: AdvisoryRule): Scope {
  const modular = found.module !== undefined || modularRelease.test(found.version);
  const isModularAdvisory = advisory.module !== undefined || advisory.ranges.some(isModularFix);
  if (modular !== isModularAdvisory) return otherModule(found, advisory, { modular });
  if (!modular) return sameScope;
  if (found.module === undefined || advisory.module === undefined) {
    const whose = found.module === undefined ? "the package" : "the advisory";
    return { kind: "unknown", reason: "module-unknown", detail: `${whose} does not name its module` };
  }
  return found.module === advisory.module ? sameScope : otherModule(found, advisory, { modular });
}

function isModularFix({ fixed, lastAffected }: AdvisoryRule["ranges"][number]): boolean {
  return modularRelease.test(fixed ?? lastAffected ?? "");
}

function otherModule(found: Package, advisory: AdvisoryRule, { modular }: { readonly modular: boolean }): Scope {
  const own = modular ? (found.module ?? "an unknown module") : "no module";
  const other = advisory.module ?? (modular ? "no module" : "an unknown module");
  return { kind: "other", reason: "other-module", detail: `the package is of ${own}, the advisory is about ${other}` };
}

/** Oracle builds some packages in three flavours with one name, each with its own releases and fixes. */
type Flavour = "normal" | "ksplice" | "fips";

/** Whether an advisory is about the flavour of the package: `2.34-100.0.1.ksplice1.el9`, `3.6.16-4.el8_fips`. */
function flavourScope(found: Package, advisory: AdvisoryRule): Scope {
  const bounds = advisory.ranges.flatMap(({ fixed, lastAffected }) => fixed ?? lastAffected ?? []);
  const [bound] = bounds;
  if (bound === undefined) return sameScope; // an advisory without a version is about all flavours
  const [own, other] = [flavourOf(found.version), flavourOf(bound)];
  if (own === other) return sameScope;
  return {
    kind: "other",
    reason: "other-flavour",
    detail: `the package is a ${own} build, the advisory is about ${other} builds`,
  };
}

function flavourOf(version: string): Flavour {
  if (/\.ksplice\d*(?:\.|$)/.test(version)) return "ksplice";
  return /_fips(?:\.|$)/.test(version) ? "fips" : "normal";
}
