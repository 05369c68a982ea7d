import { type Scope, sameScope } from "../../match/distribution-rules.ts";
import type { AdvisoryRule } from "../../model/advisory.ts";
import type { Package } from "../../model/package.ts";

/** The mark in the release of every rpm that was built for a module. */
const modularRelease = /\.module[+_]el/;

/**
 * Whether an advisory is about the module of a package. Streams of a module are different products with one name: a fix in
 * 12.1 of nodejs:12 says nothing about nodejs:16. Builds before RHEL 8.6 lack the label on some packages, and some feeds never
 * have it. The release still shows that the package is of a module, but not which.
 */
export function moduleScope(found: Package, advisory: AdvisoryRule): Scope {
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
