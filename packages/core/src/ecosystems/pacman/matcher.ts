import { allDistributions } from "../../distributions/all.ts";
import { advisoryKeys, isAnyOf } from "../../distributions/shared/keys.ts";
import { distributionMatcher } from "../../match/distribution-matcher.ts";
import { plainSubject, sameScope } from "../../match/distribution-rules.ts";
import type { Matcher } from "../../plugins/matcher.ts";
import { pacmanVersions } from "./version.ts";

const distributions = allDistributions.filter(({ packaging }) => packaging === "pacman");

/** Judges the packages of Arch Linux. */
export const archMatcher: Matcher = distributionMatcher({
  name: "arch",
  keysRevision: 1,
  ecosystemsOf: advisoryKeys(distributions),
  isFor: isAnyOf(distributions),
  namesSources: () => false,
  subjectOf: (found, kind) => plainSubject(found, kind, pacmanVersions),
  scopeOf: () => sameScope,
});
