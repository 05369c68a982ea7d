import type { Package, PackageKind } from "../model/package.ts";
import { findVersion } from "../versions/define-order.ts";
import type { DistributionRules } from "./distribution-rules.ts";
import type { Installed } from "./range.ts";

/** What a package is compared by, its version parsed. */
export interface ParsedSubject {
  readonly name: string;
  readonly installed: Installed;
}

/** What a package is compared by, as its binary or as its source. */
export type SubjectOf = (found: Package, kind: PackageKind) => ParsedSubject;

/** Keeps what a package is compared by for all the advisories it is compared with. */
export function rememberSubjects(rules: DistributionRules): SubjectOf {
  const binaries = new WeakMap<Package, ParsedSubject>();
  const sources = new WeakMap<Package, ParsedSubject>();
  return (found, kind) => {
    const remembered = kind === "SOURCE" ? sources : binaries;
    const known = remembered.get(found);
    if (known !== undefined) return known;
    const { name, version: text, versions: scheme } = rules.subjectOf(found, kind);
    const subject = { name, installed: { scheme, text, version: findVersion(scheme, text) } };
    remembered.set(found, subject);
    return subject;
  };
}
