import { type Scope, sameScope } from "../../match/distribution-rules.ts";
import type { AdvisoryRule } from "../../model/advisory.ts";
import type { Package } from "../../model/package.ts";

/** Oracle builds some packages in three flavours with one name, each with its own releases and fixes. */
type Flavour = "normal" | "ksplice" | "fips";

/** Whether an advisory is about the flavour of the package: `2.34-100.0.1.ksplice1.el9`, `3.6.16-4.el8_fips`. */
export function flavourScope(found: Package, advisory: AdvisoryRule): Scope {
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
