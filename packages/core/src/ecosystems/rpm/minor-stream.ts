import { type Scope, sameScope } from "../../match/distribution-rules.ts";
import { compareText, maxVersion } from "../../match/range.ts";
import type { AdvisoryRule } from "../../model/advisory.ts";
import { rpmVersions } from "./version.ts";

/** The mark of builds for one minor release: `.el8_6` or `.module+el8.6`. */
const minorTag = /\.el\d+_\d+|\.module\+el\d+\.\d+/;

/**
 * Whether a package has the fix for its own minor release. If a vulnerability is fixed in `1.2-3.el8_6.1` and, for the next minor release, in
 * `1.2-9.el8`, then `1.2-3.el8_6.2` has the fix although it is below the second version. Of several fixes for its minor release it must have the
 * highest, since an incomplete fix is followed by another.
 */
export function minorStreamScope(version: string, { ranges }: AdvisoryRule): Scope {
  if (ranges.length < 2) return sameScope;
  const tag = minorTag.exec(version)?.[0];
  if (tag === undefined) return sameScope;
  const fixes = ranges.flatMap(({ fixed }) => (fixed !== undefined && hasTag(fixed, tag) ? [fixed] : []));
  const fix = maxVersion(rpmVersions, fixes);
  if (fix === undefined || compareText(rpmVersions, version, fix) < 0) return sameScope;
  return { kind: "other", reason: "fixed", detail: `${version} is not below ${fix}, the fix for its minor release` };
}

function hasTag(version: string, tag: string): boolean {
  return minorTag.exec(version)?.[0] === tag;
}
