/**
 * The Debian security tracker.
 *
 * ```
 * { source: { name: { description?, releases: { code name: {
 *     status: "resolved" | "open" | "undetermined", fixed_version?, repositories?: { code name: version },
 *     urgency, nodsa?, nodsa_reason? } } } } }
 * ```
 * `fixed_version` "0": the release was never affected. Asterisks at the end of `urgency`: it is not from the maintainers.
 * `nodsa` is the reason why no advisory will be published, `nodsa_reason` whether that is final.
 *
 * @see https://security-tracker.debian.org/tracker/data/json
 */

import { debianVersion } from "../../distributions/debian.ts";
import type { Advisory } from "../../model/advisory.ts";
import { type JsonPlace, memberAt, membersAt, optionalStringAt, stringAt, unexpected } from "../../model/json-place.ts";
import { trimEnd } from "../../model/trim-end.ts";
import type { ReadPart } from "../shared/malformed-feed.ts";
import { normalizeSeverity } from "../shared/vendor-severity.ts";
import { withNewerReleases, withOtherReleases } from "./newer-releases.ts";

/** A vulnerability of a source package as the tracker lists it. */
export interface TrackerEntry {
  readonly source: string;
  readonly name: string;
  readonly description: string | undefined;
}

/** An entry to read, and the code names of the releases that the feed is about. */
interface NamedEntry extends Pick<TrackerEntry, "source" | "name"> {
  readonly inFeed: ReadonlySet<string>;
}

/**
 * The advisories of one vulnerability of a source package, one for each release. A malformed release is skipped.
 * @throws ScanError `malformed_feed` where the entry has no object of releases
 */
export function debianAdvisories(
  { source, name, inFeed }: NamedEntry,
  place: JsonPlace,
  readPart: ReadPart,
): readonly Advisory[] {
  const releases = membersAt(memberAt(place, "releases"));
  const description = readPart(() => optionalStringAt(memberAt(place, "description")));
  const entry: TrackerEntry = { source, name, description };
  const statements = releases.flatMap(([codeName, place]) => readPart(() => releaseStatement(codeName, place)) ?? []);
  const stated = new Set(releases.map(([codeName]) => codeName));
  const missing = [...inFeed].filter((codeName) => !stated.has(codeName)); // one that is malformed is not missing
  return withOtherReleases(withNewerReleases(statements), missing).map((statement) => debianAdvisory(entry, statement));
}

function releaseStatement(codeName: string, release: JsonPlace): ReleaseStatement {
  const urgency = trimEnd(optionalStringAt(memberAt(release, "urgency")) ?? "", "*") || undefined;
  const remediation = remediationOf(release, urgency);
  return {
    codeName,
    ...statementOf(release),
    held: heldBy(release, codeName),
    urgency,
    remediation,
  };
}

function heldBy(release: JsonPlace, codeName: string): string | undefined {
  const repositories = memberAt(release, "repositories");
  return repositories.value === undefined ? undefined : optionalStringAt(memberAt(repositories, codeName));
}

/** The tracker's statement on one release. */
export interface ReleaseStatement extends Pick<Advisory, "status" | "ranges" | "remediation"> {
  readonly codeName: string;
  readonly urgency?: string;
  /** The version of the source package that the release has. */
  readonly held?: string;
  /** Set if it is about versions of newer releases. */
  readonly isOfNewer?: true;
  /** Set if it is that of another release, since this one does not have the package. */
  readonly isOfOther?: true;
}

/** The end of the ids of advisories for releases that do not have the package. */
export const ofOtherReleases = "/other";

/** The end of the ids of advisories about versions of newer releases than that of the image. */
export const ofNewerReleases = "/newer";

/** The advisory of a vulnerability of a source package in one release. */
export function debianAdvisory(
  { source, name, description }: TrackerEntry,
  { codeName, status, ranges, urgency, remediation, isOfNewer, isOfOther }: ReleaseStatement,
): Advisory {
  const version = debianVersion(codeName);
  const of = `${isOfOther === true ? ofOtherReleases : ""}${isOfNewer === true ? ofNewerReleases : ""}`;
  return {
    id: `debian/${name}/${source}/${version}${of}`,
    updater: "debian",
    name,
    aliases: [],
    ecosystem: `debian:${version}`,
    packageName: source,
    packageKind: "SOURCE",
    status,
    ranges,
    versions: [],
    description,
    links: [`https://security-tracker.debian.org/tracker/${name}`],
    severity: urgency,
    normalizedSeverity: normalizeSeverity("debian", urgency),
    remediation,
  };
}

function statementOf(release: JsonPlace): Pick<Advisory, "status" | "ranges"> {
  const status = memberAt(release, "status");
  switch (stringAt(status)) {
    case "resolved": {
      const fixed = stringAt(memberAt(release, "fixed_version"));
      return fixed === "0" ? { status: "not-affected", ranges: [{}] } : { status: "affected", ranges: [{ fixed }] };
    }
    case "open":
      return { status: "affected", ranges: [{}] };
    case "undetermined":
      return { status: "undetermined", ranges: [{}] };
    default:
      throw unexpected(status, '"resolved", "open" or "undetermined"');
  }
}

function remediationOf(release: JsonPlace, urgency: string | undefined): string | undefined {
  const reason = optionalStringAt(memberAt(release, "nodsa_reason"));
  if (reason !== undefined) return reason;
  if (optionalStringAt(memberAt(release, "nodsa")) !== undefined) return "no-dsa";
  return urgency === "end-of-life" ? urgency : undefined;
}
