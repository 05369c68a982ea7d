import { type Scope, sameScope } from "../../match/distribution-rules.ts";
import type { AdvisoryRule } from "../../model/advisory.ts";
import { compareText } from "../../versions/define-order.ts";
import { rpmVersions } from "./version.ts";

/** The mark of builds for one minor release: `.el8_6` or `.module+el8.6`. */
const minorTag = /\.el\d+_\d+|\.module\+el\d+\.\d+/;

/**
 * Whether a package has the fix for its own minor release. If a vulnerability is fixed in `1.2-3.el8_6.1` and, for the next minor release, in
 * `1.2-9.el8`, then `1.2-3.el8_6.2` has the fix although it is below the second version.
 */
export function minorStreamScope(version: string, { ranges }: AdvisoryRule): Scope {
  if (ranges.length < 2) return sameScope;
  const tag = minorTag.exec(version)?.[0];
  if (tag === undefined) return sameScope;
  const fix = ranges.find(({ fixed }) => fixed !== undefined && hasTag(fixed, tag) && isAtLeast(version, fixed))?.fixed;
  if (fix === undefined) return sameScope;
  return { kind: "other", reason: "fixed", detail: `${version} is not below ${fix}, the fix for its minor release` };
}

function hasTag(version: string, tag: string): boolean {
  return minorTag.exec(version)?.[0] === tag;
}

function isAtLeast(version: string, fixed: string): boolean {
  return compareText(rpmVersions, version, fixed) >= 0;
}
