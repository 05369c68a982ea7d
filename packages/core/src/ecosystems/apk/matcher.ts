import { allDistributions } from "../../distributions/all.ts";
import { advisoryKeys, isAnyOf } from "../../distributions/shared/keys.ts";
import { distributionMatcher } from "../../match/distribution-matcher.ts";
import { plainSubject, sameScope } from "../../match/distribution-rules.ts";
import type { Matcher } from "../../plugins/matcher.ts";
import { apkVersions } from "./version.ts";

const distributions = allDistributions.filter(({ packaging }) => packaging === "apk");

/** Judges packages of all distributions that use apk. */
export const alpineMatcher: Matcher = distributionMatcher({
  name: "alpine",
  keysRevision: 1,
  ecosystemsOf: advisoryKeys(distributions),
  isFor: isAnyOf(distributions),
  namesSources: () => true,
  hasReleases: true,
  subjectOf: (found, kind) => plainSubject(found, kind, apkVersions),
  scopeOf: () => sameScope,
});
