import { debian } from "../../distributions/debian.ts";
import { advisoryKeys } from "../../distributions/shared/keys.ts";
import type { KnownDistribution } from "../../distributions/shared/known-distribution.ts";
import { ubuntu } from "../../distributions/ubuntu.ts";
import { distributionMatcher } from "../../match/distribution-matcher.ts";
import { plainSubject, sameScope } from "../../match/distribution-rules.ts";
import type { Matcher } from "../../plugins.ts";
import { dpkgVersions } from "./version.ts";

/** Judges Debian packages. */
export const debianMatcher: Matcher = dpkgMatcher(debian);

/** Judges Ubuntu packages. */
export const ubuntuMatcher: Matcher = dpkgMatcher(ubuntu);

function dpkgMatcher(known: KnownDistribution): Matcher {
  return distributionMatcher({
    name: known.did,
    keysRevision: 1,
    ecosystemsOf: advisoryKeys([known]),
    subjectOf: (found, kind) => plainSubject(found, kind, dpkgVersions),
    scopeOf: () => sameScope,
  });
}
