/**
 * An npm advisory of the Node.js Security Working Group.
 *
 * ```
 * { id, module_name, title, publish_date?, cves?: [text], vulnerable_versions?: range, patched_versions?: range,
 *   references?: [url], cvss_vector?, cvss_score? }
 * ```
 * A range is in npm's form: sets of comparisons separated by `||`; all comparisons of a set must hold.
 *
 * @see https://github.com/nodejs/security-wg/tree/main/vuln/npm
 */

import Range from "semver/classes/range.js";
import type { Advisory } from "../../model/advisory.ts";
import {
  type JsonPlace,
  memberAt,
  optionalItemsAt,
  optionalStringAt,
  sizeAt,
  stringAt,
} from "../../model/json-place.ts";
import type { Updater } from "../../plugins/updater.ts";
import type { VersionScheme } from "../../plugins/version-scheme.ts";
import { compareText } from "../../versions/define-order.ts";
import { parse, semverVersions } from "../../versions/semver/version.ts";
import { databaseUpdater } from "../shared/database-updater.ts";
import { malformedRecord, type ReadPart, recordItems } from "../shared/malformed-feed.ts";
import { parseRecord } from "../shared/parse-record.ts";
import { hasAnyMember } from "../shared/recognized.ts";
import { scoreSeverity, unknownSeverity, vectorSeverity } from "../shared/scored-severity.ts";
import { type Comparison, complementOf, type Interval, intervalOf, rangesOf } from "../shared/version-intervals.ts";

/**
 * Imports the npm advisories of the Node.js Security Working Group: from its archive, a folder of its documents or one document. Documents
 * under `core/` are about the program `node`, not about npm packages, and are skipped.
 * @see https://github.com/nodejs/security-wg
 */
export const nodejsUpdater: Updater = databaseUpdater({
  name: "nodejs",
  location: "https://codeload.github.com/nodejs/security-wg/tar.gz/refs/heads/main",
  scope: { partBytes: { npm: 0 }, sharedBytes: 2e6 },
  revision: 2,
  wants: (name) => (/(?:^|\/)core\//.test(name) ? "other-ecosystem" : name.endsWith(".json")),
  reader: () => (document) => {
    const record = parseRecord(document.bytes, document.location);
    return recordItems(document.location, (readPart) => nodejsAdvisories(record, readPart));
  },
});

/**
 * The advisory of a document. Without vulnerable versions, all versions that are not patched are affected.
 * @throws ScanError `malformed_feed` where it has no number or module, or an invalid range
 */
function nodejsAdvisories(record: JsonPlace, readPart: ReadPart): readonly Advisory[] {
  if (!hasAnyMember(record, ["module_name", "title", "vulnerable_versions"]))
    return readPart.leaveOut("not-an-advisory");
  const name = `NSWG-ECO-${sizeAt(memberAt(record, "id"))}`;
  const packageName = stringAt(memberAt(record, "module_name"));
  const textOf = (member: string) => readPart(() => optionalStringAt(memberAt(record, member)));
  const aliases = readPart(() => optionalItemsAt(memberAt(record, "cves")).map(stringAt)) ?? [];
  const links = readPart(() => optionalItemsAt(memberAt(record, "references")).map(stringAt)) ?? [];
  const description = textOf("title");
  const issuedAt = Date.parse(textOf("publish_date") ?? "");
  return [
    {
      id: `nodejs/${name}/npm/${packageName}`,
      updater: "nodejs",
      name,
      aliases: [...new Set(aliases.filter((alias) => /^CVE-\d{4}-\d+$/.test(alias)))],
      ecosystem: "npm",
      packageName,
      packageKind: "BINARY",
      status: "affected",
      ranges: affectedRanges(record),
      versions: [],
      links: [...new Set(links.filter((url) => /^https?:\/\/\S+$/.test(url)))],
      description,
      issuedAt: !Number.isNaN(issuedAt) ? issuedAt : undefined,
      ...severityOf(record),
    },
  ];
}

function affectedRanges(record: JsonPlace): Advisory["ranges"] {
  const vulnerable = optionalStringAt(memberAt(record, "vulnerable_versions"));
  const patched = npmIntervals(optionalStringAt(memberAt(record, "patched_versions")));
  const affected = vulnerable === undefined ? complementOf(semverVersions, patched) : npmIntervals(vulnerable);
  return rangesOf(withFixes(semverVersions, affected, patched), nextSemver);
}

function severityOf(record: JsonPlace) {
  const vector = memberAt(record, "cvss_vector").value;
  const score = memberAt(record, "cvss_score").value;
  const rated = typeof vector === "string" ? vectorSeverity(vector) : undefined;
  return rated ?? (typeof score === "number" ? scoreSeverity(score, "3.0") : undefined) ?? unknownSeverity;
}

/**
 * Replaces the last affected version of intervals by the first patched version above it, if that is not above the next affected
 * interval: `<=1.4.2` with `>=1.4.3` patched is fixed in 1.4.3.
 */
function withFixes(
  scheme: VersionScheme,
  affected: readonly Interval[],
  patched: readonly Interval[],
): readonly Interval[] {
  const isAbove = (a: string, b: string) => compareText(scheme, a, b) > 0;
  const lowest = (versions: readonly string[]) =>
    versions.reduce<string | undefined>(
      (low, each) => (low === undefined || isAbove(low, each) ? each : low),
      undefined,
    );
  return affected.map((interval) => {
    const { to } = interval;
    if (!to?.inclusive) return interval;
    const starts = (intervals: readonly Interval[]) =>
      lowest(
        intervals.flatMap(({ from }) =>
          from !== undefined && isAbove(from.version, to.version) ? [from.version] : [],
        ),
      );
    const fix = starts(patched.filter(({ from }) => from?.inclusive));
    const next = starts(affected);
    const isFix = fix !== undefined && (next === undefined || !isAbove(fix, next));
    return isFix ? { ...interval, to: { version: fix, inclusive: false } } : interval;
  });
}

/**
 * The versions of an npm range, always including prereleases. None where there is no range.
 * @throws ScanError `malformed_feed`
 * @see https://github.com/npm/node-semver#range-grammar
 */
function npmIntervals(text: string | undefined): readonly Interval[] {
  if (text === undefined) return [];
  return comparisonSets(text).flatMap((comparisons) => intervalOf(semverVersions, comparisons) ?? []);
}

function comparisonSets(text: string): readonly (readonly Comparison[])[] {
  try {
    const { set } = new Range(text, { loose: true, includePrerelease: true });
    return set.map((comparators) => comparators.flatMap(({ operator, semver }) => comparisonOf(operator, semver)));
  } catch {
    throw malformedRecord(`no npm range ${JSON.stringify(text.slice(0, 200))}`);
  }
}

/** A comparator that accepts any version has no version. */
function comparisonOf(operator: "" | "<" | "<=" | "=" | ">" | ">=", semver: unknown): readonly Comparison[] {
  const version = typeof semver === "object" && semver !== null && "version" in semver ? semver.version : undefined;
  return typeof version === "string" ? [{ operator: operator || "=", version }] : [];
}

/** The lowest version above another: `1.2.4-0` of `1.2.3`, `1.2.3-rc.0` of `1.2.3-rc`. */
export function nextSemver(version: string): string {
  const { major, minor, patch, prerelease } = parse(version);
  if (prerelease.length > 0) return `${major}.${minor}.${patch}-${[...prerelease, "0"].join(".")}`;
  return `${major}.${minor}.${patch + 1}-0`;
}
