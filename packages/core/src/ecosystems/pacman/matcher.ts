import { allDistributions } from "../../distributions/all.ts";
import { advisoryKeys } from "../../distributions/shared/keys.ts";
import { distributionMatcher } from "../../match/distribution-matcher.ts";
import { plainSubject, sameScope } from "../../match/distribution-rules.ts";
import type { Matcher } from "../../plugins/matcher.ts";
import { pacmanVersions } from "./version.ts";

/** Judges the packages of Arch Linux. */
export const archMatcher: Matcher = distributionMatcher({
  name: "arch",
  keysRevision: 1,
  ecosystemsOf: advisoryKeys(allDistributions.filter(({ packaging }) => packaging === "pacman")),
  subjectOf: (found, kind) => plainSubject(found, kind, pacmanVersions),
  scopeOf: () => sameScope,
});
