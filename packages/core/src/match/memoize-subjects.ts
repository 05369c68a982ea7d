import type { Package, PackageKind } from "../model/package.ts";
import { findVersion } from "../versions/define-order.ts";
import type { DistributionRules } from "./distribution-rules.ts";
import type { Installed } from "./range.ts";

/** The name and parsed version by which a package is compared with advisories. */
export interface ParsedSubject {
  readonly name: string;
  readonly installed: Installed;
}

/** Finds the subject of a package: its binary or its source. */
export type SubjectOf = (found: Package, kind: PackageKind) => ParsedSubject;

/** Caches the subjects of packages, each of which is compared with many advisories. */
export function memoizeSubjects(rules: DistributionRules): SubjectOf {
  const binaries = new WeakMap<Package, ParsedSubject>();
  const sources = new WeakMap<Package, ParsedSubject>();
  return (found, kind) => {
    const cache = kind === "SOURCE" ? sources : binaries;
    const known = cache.get(found);
    if (known !== undefined) return known;
    const { name, version: text, versions: scheme } = rules.subjectOf(found, kind);
    const subject = { name, installed: { scheme, text, version: findVersion(scheme, text) } };
    cache.set(found, subject);
    return subject;
  };
}
