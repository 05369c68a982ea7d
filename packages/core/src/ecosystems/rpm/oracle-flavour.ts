import { type Scope, sameScope } from "../../match/distribution-rules.ts";
import type { AdvisoryRule } from "../../model/advisory.ts";
import type { Package } from "../../model/package.ts";

/** Oracle builds some packages three times under one name, each with releases and fixes of its own. */
type Flavour = "normal" | "ksplice" | "fips";

/** Whether an advisory is about the flavour of the package: `2.34-100.0.1.ksplice1.el9`, `3.6.16-4.el8_fips`. */
export function flavourScope(found: Package, advisory: AdvisoryRule): Scope {
  const bounds = advisory.ranges.flatMap(({ fixed, lastAffected }) => fixed ?? lastAffected ?? []);
  const [bound] = bounds;
  if (bound === undefined) return sameScope; // without a version it is about all of them
  const [own, other] = [flavourOf(found.version), flavourOf(bound)];
  if (own === other) return sameScope;
  return {
    kind: "other",
    reason: "other-flavour",
    detail: `the package is a ${own} build, the advisory is of ${other} ones`,
  };
}

function flavourOf(version: string): Flavour {
  if (/\.ksplice\d*(?:\.|$)/.test(version)) return "ksplice";
  return /_fips(?:\.|$)/.test(version) ? "fips" : "normal";
}
