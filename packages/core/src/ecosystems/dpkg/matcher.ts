import { debian } from "../../distributions/debian.ts";
import { advisoryKeys } from "../../distributions/shared/keys.ts";
import type { KnownDistribution } from "../../distributions/shared/known-distribution.ts";
import { ubuntu } from "../../distributions/ubuntu.ts";
import { distributionMatcher } from "../../match/distribution-matcher.ts";
import { type DistributionRules, plainSubject, sameScope } from "../../match/distribution-rules.ts";
import type { PackageRepository } from "../../model/package.ts";
import type { Matcher } from "../../plugins/matcher.ts";
import { esmServices } from "../linux/ubuntu-pro.ts";
import { newerRelease, ownReleaseScope } from "./origin-release.ts";
import { dpkgVersions } from "./version.ts";

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
