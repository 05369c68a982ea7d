import { distributionMatcher } from "../../match/distribution-matcher.ts";
import { plainSubject, sameScope } from "../../match/distribution-rules.ts";
import type { Matcher } from "../../plugins.ts";
import { debianEcosystem, ubuntuEcosystem } from "./advisory-ecosystem.ts";
import { dpkgVersions } from "./version.ts";

/** Judges Debian packages. */
export const debianMatcher: Matcher = dpkgMatcher("debian", debianEcosystem);

/** Judges Ubuntu packages. */
export const ubuntuMatcher: Matcher = dpkgMatcher("ubuntu", ubuntuEcosystem);

function dpkgMatcher(name: string, ecosystemOf: typeof debianEcosystem): Matcher {
  return distributionMatcher({
    name,
    keysRevision: 1,
    ecosystemOf,
    subjectOf: (found, kind) => plainSubject(found, kind, dpkgVersions),
    scopeOf: () => sameScope,
  });
}
