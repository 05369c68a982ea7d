import { md5 } from "@noble/hashes/legacy.js";
import { debianReleases } from "../../../distributions/debian.ts";
import type { Advisory, AdvisoryRange } from "../../../model/advisory.ts";
import type { FeedItem } from "../../../plugins/updater.ts";
import { chooseFiles } from "../../shared/chosen-files.ts";
import type { FeedFile } from "../../shared/feed-files.ts";
import { leftOutRecord, malformedFeed, readRecord } from "../../shared/malformed-feed.ts";
import { withNewerReleases, withOtherReleases } from "../newer-releases.ts";
import { debianAdvisory, type ReleaseStatement } from "../tracker.ts";
import { type ArchiveVersions, isOlder, isSources, readArchive } from "./archive.ts";
import { type Annotation, type ListEntry, listEntries } from "./lists.ts";

/** The lists in the tracker's repository. */
export const listNames = ["data/CVE/list", "data/DSA/list", "data/DLA/list"] as const;

const listKinds = ["CVE", "DSA", "DLA"] as const;

/** Whether a folder is a copy of the tracker's repository. */
export function isGitForm(names: readonly string[]): boolean {
  return names.some((name) => isList(name, "CVE"));
}

function isList(name: string, kind: string): boolean {
  return name === `${kind}/list` || name.endsWith(`/${kind}/list`);
}

/**
 * The advisories in the lists of the tracker's repository, with the versions of the archive if the folder has `Sources` too. Without `Sources`, the
 * releases that Debian supports at `startedAt` are used.
 * @throws ScanError `malformed_feed` where a list is missing, since versions of fixes would be missing too
 */
export async function* gitItems(
  files: readonly FeedFile[],
  startedAt: number | undefined,
): AsyncGenerator<FeedItem<Advisory>> {
  const { skipped } = chooseFiles(files, (name) => isSources(name) || listKinds.some((kind) => isList(name, kind)));
  yield* skipped;
  const archive = await readArchive(files);
  const advisories = new Map<string, string>();
  for (const kind of ["DSA", "DLA"]) {
    for await (const entry of entriesOf(listOf(files, kind))) {
      if (entry.kind === "item") addFixes(advisories, entry.item);
      else yield entry;
    }
  }
  const state: TrackerState = {
    archive,
    releases: archive.size > 0 ? [...archive.keys()] : debianReleases(startedAt),
    advisories,
  };
  const left = new Map(advisories);
  for await (const entry of entriesOf(listOf(files, "CVE"))) {
    if (entry.kind === "item") yield* entryItems(entry.item, state, left);
    else if (entry.kind === "problem" || entry.outcome === "failed") yield entry;
  }
  for (const [key, fixed] of left) {
    const [name = "", source = "", codeName = ""] = key.split(" ");
    const statement = { codeName, status: "affected", ranges: [{ fixed }] } as const;
    yield { kind: "item", item: debianAdvisory({ source, name, description: undefined }, statement) };
  }
}

function listOf(files: readonly FeedFile[], kind: string): FeedFile {
  const file = files.find(({ name }) => isList(name, kind));
  if (file === undefined) throw malformedFeed("debian", `expected a list data/${kind}/list, found none`);
  return file;
}

function entriesOf({ stream, location }: FeedFile): AsyncGenerator<FeedItem<ListEntry>> {
  return listEntries(stream(), location);
}

/** Of several advisories about the same package in the same release, the highest version counts: the others are incomplete, or older. */
function addFixes(fixes: Map<string, string>, { references, annotations }: ListEntry): void {
  for (const { source, release, said } of annotations) {
    if (said.kind !== "version") continue;
    for (const cve of references) {
      const key = fixKey(cve, source, release);
      const known = fixes.get(key);
      if (known === undefined || isOlder(known, said.version)) fixes.set(key, said.version);
    }
  }
}

/** The statements of an entry, and what became of it. Most entries are about software that Debian does not have. */
function* entryItems(entry: ListEntry, state: TrackerState, left: Map<string, string>): Generator<FeedItem<Advisory>> {
  let hasItems = false;
  const sources = Map.groupBy(entry.annotations, ({ source }) => source);
  const name = nameOf(entry);
  const description = entry.description || undefined;
  for (const [source, annotations] of sources) {
    const statements = entry.isRejected ? [] : withNewerReleases(releaseStatements(entry.name, annotations, state));
    const others = state.archive.size > 0 ? withOtherReleases(statements, state.releases) : statements;
    for (const statement of others) {
      left.delete(fixKey(entry.name, source, statement.codeName));
      hasItems = true;
      yield { kind: "item", item: debianAdvisory({ source, name, description }, statement) };
    }
  }
  yield hasItems ? readRecord : leftOutRecord(entry.isRejected ? "withdrawn" : "nothing-stated", entry.name);
}

/**
 * The name of an entry. An entry without a CVE id is named by its bug and its description, as in the tracker.
 * @see https://salsa.debian.org/security-tracker-team/security-tracker/-/blob/master/lib/python/bugs.py `temp_bug_name`
 */
function nameOf({ name, description, annotations }: ListEntry): string {
  if (!name.endsWith("-XXXX")) return name;
  const bug = annotations.find((each: Annotation) => each.bug !== undefined)?.bug ?? 0;
  const digest = [...md5(new TextEncoder().encode(description)).subarray(0, 3)];
  const hex = digest.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `TEMP-${String(bug).padStart(7, "0")}-${hex.toUpperCase()}`;
}

/** The facts about releases from which statements are derived. */
interface TrackerState {
  readonly archive: ArchiveVersions;
  /** The releases to which annotations of unstable apply. */
  readonly releases: readonly string[];
  /** The versions of advisories (DSA, DLA) for a vulnerability, by source package and release. */
  readonly advisories: ReadonlyMap<string, string>;
}

/** The key of a fix in {@link TrackerState.advisories}. */
function fixKey(cve: string, source: string, release: string): string {
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
function releaseStatements(
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
    const held = archive.get(release)?.get(source);
    const statement = statementOf(own, advised, { unstable, version: held });
    if (statement === undefined) return [];
    const urgency = own?.urgency ?? unstable?.urgency;
    const state = own?.said.kind === "state" ? own.said.state : "";
    const isOpen = statement.status === "affected" && statement.ranges.every(({ fixed }) => fixed === undefined);
    return {
      codeName: release,
      ...statement,
      held,
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
