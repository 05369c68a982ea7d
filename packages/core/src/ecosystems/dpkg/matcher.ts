import { debian } from "../../distributions/debian.ts";
import { advisoryKeys } from "../../distributions/shared/keys.ts";
import type { KnownDistribution } from "../../distributions/shared/known-distribution.ts";
import { ubuntu } from "../../distributions/ubuntu.ts";
import { ofNewerReleases } from "../../feeds/debian-tracker/tracker.ts";
import { distributionMatcher } from "../../match/distribution-matcher.ts";
import { type DistributionRules, plainSubject, type Scope, sameScope } from "../../match/distribution-rules.ts";
import type { AdvisoryRule } from "../../model/advisory.ts";
import type { Package, PackageRepository } from "../../model/package.ts";
import type { IndexRecord, Matcher } from "../../plugins/matcher.ts";
import { compareText } from "../../versions/define-order.ts";
import { esmServices } from "../linux/ubuntu-pro.ts";
import { dpkgVersions } from "./version.ts";

/** `1.2-1~bpo12+1`: built for Debian 12 from a package of a newer release; `~bpo70+1` in Debian 7 and earlier. */
const backport = /~bpo(\d+)\+\d/;

/** `1.2-1+deb12u1`: an update of Debian 12. */
const update = /[+~]deb(\d+)u\d/;

/**
 * The key of the advisories of the newer release that a package was made in, where its version says so: a backport is the package of the next
 * release, so an update of the image's own release is not in it. Undefined for packages of the image's release and of older ones.
 * @see https://wiki.debian.org/Backports
 */
function newerRelease({ package: found, distribution }: IndexRecord): string | undefined {
  const version = versionOf(found);
  if (!version.includes("bpo") && !version.includes("deb")) return undefined; // as of most packages, which need no expression
  const origin = originOf(version);
  const own = majorOf(distribution?.versionId);
  return origin === undefined || own === undefined || origin <= own ? undefined : `debian:${origin}`;
}

/**
 * Whether a package has the fix of its own release. The tracker's fixes of newer releases are ranges of the same advisory, and an update of the
 * image's own release may have a version that is in one of them.
 */
function ownReleaseScope({ package: found, distribution }: IndexRecord, { id, ranges }: AdvisoryRule): Scope {
  const fix = ranges[0]?.fixed;
  const isOfNewer = id.endsWith(ofNewerReleases);
  if (!isOfNewer && (ranges.length < 2 || fix === undefined)) return sameScope;
  const version = versionOf(found);
  const release = originOf(version);
  if (release === undefined || release !== majorOf(distribution?.versionId)) return sameScope;
  if (isOfNewer || fix === undefined)
    return { kind: "other", reason: "other-release", detail: `${version} was made in the image's own release` };
  if (compareText(dpkgVersions, version, fix) < 0) return sameScope;
  return { kind: "other", reason: "fixed", detail: `${version} is not below ${fix}, the fix for its release` };
}

function versionOf({ version, source }: Package): string {
  return source?.version ?? version;
}

function originOf(version: string): number | undefined {
  const release = backport.exec(version)?.[1];
  if (release === undefined) return majorOf(update.exec(version)?.[1]);
  const number = Number(release);
  return (number >= 60 ? number / 10 : number) + 1;
}

function majorOf(version: string | undefined): number | undefined {
  const major = /^\d+/.exec(version ?? "")?.[0];
  return major === undefined ? undefined : Number(major);
}

/** Judges Debian packages. */
export const debianMatcher: Matcher = distributionMatcher({
  ...dpkgRules(debian),
  keysRevision: 2,
  newerReleaseOf: newerRelease,
  scopeOf: ownReleaseScope,
});

/** Judges Ubuntu packages. */
export const ubuntuMatcher: Matcher = distributionMatcher({
  ...dpkgRules(ubuntu),
  keysRevision: 2,
  ecosystemsOf: (release, repositories) => withStreams(advisoryKeys([ubuntu])(release, repositories), repositories),
});

function dpkgRules(known: KnownDistribution): DistributionRules {
  return {
    name: known.did,
    keysRevision: 1,
    ecosystemsOf: advisoryKeys([known]),
    isFor: (did) => did === known.did,
    namesSources: () => true,
    subjectOf: (found, kind) => plainSubject(found, kind, dpkgVersions),
    scopeOf: () => sameScope,
  };
}

/** The keys, and those of the streams of updates that an image with a subscription gets: `ubuntu:16.04:esm-infra`. */
function withStreams(keys: readonly string[], repositories: readonly PackageRepository[]): readonly string[] {
  if (repositories.length === 0) return keys;
  const services = esmServices.filter((service) => repositories.some(({ key }) => key === service));
  return [...keys, ...services.flatMap((service) => keys.map((key) => `${key}:${service}`))];
}
