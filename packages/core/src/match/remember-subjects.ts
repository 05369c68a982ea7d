import type { Package, PackageKind } from "../model/package.ts";
import type { VersionScheme } from "../plugins.ts";
import { findVersion } from "../versions/define-order.ts";
import type { DistributionRules, Subject } from "./distribution-rules.ts";

/** What a package is compared by, as its binary or as its source. */
export type SubjectOf = (found: Package, kind: PackageKind) => Subject;

/** Keeps what a package is compared by, its version parsed, for all the advisories it is compared with. */
export function rememberSubjects(rules: DistributionRules): SubjectOf {
  const remembered = { BINARY: new WeakMap<Package, Subject>(), SOURCE: new WeakMap<Package, Subject>() };
  return (found, kind) => {
    const known = remembered[kind].get(found);
    if (known !== undefined) return known;
    const subject = rules.subjectOf(found, kind);
    const parsed = { ...subject, versions: rememberVersion(subject.versions, subject.version) };
    remembered[kind].set(found, parsed);
    return parsed;
  };
}

function rememberVersion(versions: VersionScheme, text: string): VersionScheme {
  const version = findVersion(versions, text);
  if (version === undefined) return versions;
  return { ...versions, parse: (other) => (other === text ? version : versions.parse(other)) };
}
