import type { Advisory, AdvisoryRange } from "../../../model/advisory.ts";
import type { ReleaseStatement } from "../tracker.ts";
import { type ArchiveVersions, isOlder } from "./archive.ts";
import type { Annotation } from "./lists.ts";

/** The facts about releases from which statements are derived. */
export interface TrackerState {
  readonly archive: ArchiveVersions;
  /** The releases to which annotations of unstable apply. */
  readonly releases: readonly string[];
  /** The versions of advisories (DSA, DLA) for a vulnerability, by source package and release. */
  readonly advisories: ReadonlyMap<string, string>;
}

/** The key of a fix in {@link TrackerState.advisories}. */
export function fixKey(cve: string, source: string, release: string): string {
  return `${cve} ${source} ${release}`;
}

/** Reasons why no advisory will be published. Such a release is treated like unstable, except that it has these words as remediation. */
const postponements: ReadonlySet<string> = new Set(["end-of-life", "ignored", "no-dsa", "postponed"]);

/** States without a statement on a package: it was never in the archive, or was removed. */
const silent: ReadonlySet<string> = new Set(["itp", "removed"]);

/**
 * The statements of the lists on one source package and vulnerability, one for each release: the annotation of the release itself, else the version
 * of an advisory for it, else the annotation of unstable. A fix that is not in the release's archive ends the affected range without being a fix.
 */
export function releaseStatements(
  cve: string,
  annotations: readonly Annotation[],
  { archive, releases, advisories }: TrackerState,
): readonly ReleaseStatement[] {
  const source = annotations[0]?.source ?? "";
  const byRelease = new Map(annotations.map((each) => [each.release, each]));
  const named = [...byRelease.keys()].filter((release) => release !== "experimental");
  const fixed = releases.filter((release) => advisories.has(fixKey(cve, source, release)));
  const unstable = byRelease.get("sid");
  const fallback = unstable === undefined ? [] : releases.filter((release) => isThere(archive, release, source));
  return [...new Set([...named, ...fixed, ...fallback])].flatMap((release) => {
    const own = byRelease.get(release);
    const advised = advisories.get(fixKey(cve, source, release));
    const statement = statementOf(own, advised, { unstable, version: archive.get(release)?.get(source) });
    if (statement === undefined) return [];
    const urgency = own?.urgency ?? unstable?.urgency;
    const state = own?.said.kind === "state" ? own.said.state : "";
    const isOpen = statement.status === "affected" && statement.ranges.every(({ fixed }) => fixed === undefined);
    return {
      codeName: release,
      ...statement,
      urgency,
      remediation: isOpen && postponements.has(state) ? state : undefined,
    };
  });
}

/** A release without an index may have the package. */
function isThere(archive: ArchiveVersions, release: string, source: string): boolean {
  return archive.get(release)?.has(source) ?? true;
}

type Statement = Pick<Advisory, "status" | "ranges">;

interface Background {
  readonly unstable: Annotation | undefined;
  /** The version of the source package in the archive of the release. */
  readonly version: string | undefined;
}

function statementOf(
  own: Annotation | undefined,
  advised: string | undefined,
  { unstable, version }: Background,
): Statement | undefined {
  if (own?.said.kind === "version") return fixedIn(own.said.version, version);
  const state = own?.said.state;
  const isPostponed = state !== undefined && postponements.has(state);
  if (state !== undefined && !isPostponed && !(state === "unfixed" && advised !== undefined))
    return stated(state, { isOfUnstable: own === unstable });
  if (advised !== undefined) return fixedIn(advised, version);
  if (unstable === undefined || unstable === own) return { status: "affected", ranges: [{}] };
  if (unstable.said.kind === "state") return stated(unstable.said.state, { isOfUnstable: false });
  const fix = unstable.said.version;
  const isReached = version !== undefined && !isOlder(version, fix);
  return isReached || fix === "0" ? fixedIn(fix, version) : { status: "affected", ranges: [withoutFix(fix)] };
}

function fixedIn(fix: string, version: string | undefined): Statement {
  if (fix === "0") return { status: "not-affected", ranges: [{}] };
  const isMissing = version !== undefined && isOlder(version, fix);
  return { status: "affected", ranges: [isMissing ? withoutFix(fix) : { fixed: fix }] };
}

/** The range up to a version, without it. In dpkg's order `1.2~` is directly below `1.2`. */
function withoutFix(version: string): AdvisoryRange {
  return { lastAffected: `${version}~` };
}

/** The statement for a state. A package that was removed from unstable is still in older releases. */
function stated(state: string, { isOfUnstable }: { readonly isOfUnstable: boolean }): Statement | undefined {
  if (state === "not-affected") return { status: "not-affected", ranges: [{}] };
  if (state === "undetermined") return { status: "undetermined", ranges: [{}] };
  if (state === "itp" || (isOfUnstable && silent.has(state))) return undefined;
  return { status: "affected", ranges: [{}] };
}
