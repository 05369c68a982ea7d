/**
 * Ranges of the Go vulnerability database over versions that Go's module system does not know. A program of such a module, such as
 * Grafana 11.0.0, states the version of its release, but a module that requires it has a version made from a time and a commit.
 *
 *     "ranges": [{ "type": "SEMVER", "events": [{ "introduced": "0" }] }],
 *     "ecosystem_specific": { "custom_ranges": [{ "type": "ECOSYSTEM", "events": [{ "introduced": "0" }, { "fixed": "11.0.1" }] }] }
 *
 * @see https://go.dev/doc/security/vuln/database#schema
 */
import type { AdvisoryRange } from "../../model/advisory.ts";
import { type JsonPlace, memberAt } from "../../model/json-place.ts";
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import type { ReadPart } from "../shared/malformed-feed.ts";
import { osvRanges, readRanges } from "./ranges.ts";

/** The members of an entry of `affected` whose form each database defines itself. */
const specificMembers = ["ecosystem_specific", "database_specific"] as const;

/**
 * The version ranges of one entry of `affected`, its custom ranges included. Where it has custom ranges, a range without an end is only about
 * versions without a release (`v0.0.0-20240527153015-0123456789ab`), which are below 0.0.0: the custom ranges say which releases are affected.
 * @throws ScanError `malformed_feed`
 */
export function rangesWithCustom(
  affected: JsonPlace,
  order: VersionScheme,
  readPart: ReadPart,
): readonly AdvisoryRange[] {
  const ranges = osvRanges(affected, order, readPart);
  const custom = specificMembers.flatMap((member) => customRanges(memberAt(affected, member), order, readPart));
  return custom.length === 0 ? ranges : [...ranges.map(withoutReleases), ...custom];
}

function customRanges(specific: JsonPlace, order: VersionScheme, readPart: ReadPart): readonly AdvisoryRange[] {
  const { value } = specific;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return readRanges(memberAt(specific, "custom_ranges"), order, readPart);
}

function withoutReleases(range: AdvisoryRange): AdvisoryRange {
  const { fixed, lastAffected, below } = range;
  return (fixed ?? lastAffected ?? below) === undefined ? { ...range, below: "0.0.0" } : range;
}
