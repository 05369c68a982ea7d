/**
 * An advisory of the Ruby advisory database.
 *
 * ```
 * { gem | engine, library?, framework?, platform?, cve?, osvdb?, ghsa?, url, title, date, description, cvss_v2?, cvss_v3?, cvss_v4?,
 *   unaffected_versions?: [requirement], patched_versions?: [requirement], related?: { cve?: [], ghsa?: [], url?: [] } }
 * ```
 * A version is affected if it meets no requirement of either list.
 *
 * @see https://github.com/rubysec/ruby-advisory-db/blob/master/CONTRIBUTING.md
 */

import type { Advisory } from "../../model/advisory.ts";
import {
  isAbsent,
  type JsonPlace,
  memberAt,
  optionalItemsAt,
  optionalStringAt,
  stringAt,
} from "../../model/json-place.ts";
import type { Updater } from "../../plugins/updater.ts";
import { gemVersions } from "../../versions/gem/version.ts";
import { databaseUpdater, fileStem } from "../shared/database-updater.ts";
import { malformedRecord, type ReadPart, recordItems } from "../shared/malformed-feed.ts";
import { parseRecord } from "../shared/parse-record.ts";
import { hasAnyMember } from "../shared/recognized.ts";
import { scoreSeverity, unknownSeverity } from "../shared/scored-severity.ts";
import { type Comparison, complementOf, intervalOf, rangesOf } from "../shared/version-intervals.ts";

/**
 * Imports the Ruby advisory database: from its archive, a folder of its documents or one document.
 * @see https://github.com/rubysec/ruby-advisory-db
 */
export const rubysecUpdater: Updater = databaseUpdater({
  name: "rubysec",
  location: "https://codeload.github.com/rubysec/ruby-advisory-db/tar.gz/refs/heads/master",
  scope: { partBytes: { RubyGems: 0 }, sharedBytes: 2e6 },
  revision: 2,
  wants: (name) => /\.ya?ml$/.test(name),
  reader: () => (document) => {
    const record = parseRecord(document.bytes, document.location);
    return recordItems(document.location, (readPart) => rubysecAdvisories(record, document.name, readPart));
  },
});

/**
 * The advisory of a document, named by its file. None for an implementation of Ruby (`engine`), which is not a gem.
 * @throws ScanError `malformed_feed` where it names no gem, or has an invalid requirement
 */
function rubysecAdvisories(record: JsonPlace, file: string, readPart: ReadPart): readonly Advisory[] {
  if (!hasAnyMember(record, ["gem", "engine", "title", "patched_versions"]))
    return readPart.leaveOut("not-an-advisory");
  if (!isAbsent(memberAt(record, "engine"))) return readPart.leaveOut("other-ecosystem");
  const packageName = stringAt(memberAt(record, "gem"));
  const name = fileStem(file);
  const textOf = (member: string) => readPart(() => optionalStringAt(memberAt(record, member)));
  const ids = [prefixed("CVE-", textOf("cve")), prefixed("GHSA-", textOf("ghsa")), prefixed("OSVDB-", textOf("osvdb"))];
  const description = textOf("title") ?? textOf("description");
  const issuedAt = Date.parse(textOf("date") ?? "");
  const severity =
    scoreSeverity(textOf("cvss_v4"), "4.0") ??
    scoreSeverity(textOf("cvss_v3"), "3.1") ??
    scoreSeverity(textOf("cvss_v2"), "2.0");
  return [
    {
      id: `rubysec/${name}/RubyGems/${packageName}`,
      updater: "rubysec",
      name,
      aliases: ids.filter((id) => id !== undefined && id !== name) as string[],
      ecosystem: "RubyGems",
      packageName,
      packageKind: "BINARY",
      // An advisory may be for one platform only (`jruby`), and packages do not state their platform.
      status: isAbsent(memberAt(record, "platform")) ? "affected" : "undetermined",
      ranges: affectedRanges(record),
      versions: [],
      links: readPart(() => linksOf(record)) ?? [],
      description,
      issuedAt: !Number.isNaN(issuedAt) ? issuedAt : undefined,
      ...(severity ?? unknownSeverity),
    },
  ];
}

/** Some advisories write ids with their prefix, most without. */
function prefixed(prefix: string, id: string | undefined): string | undefined {
  return id === undefined ? undefined : `${prefix}${id.startsWith(prefix) ? id.slice(prefix.length) : id}`;
}

function affectedRanges(record: JsonPlace): Advisory["ranges"] {
  const lists = ["patched_versions", "unaffected_versions"].map((name) => optionalItemsAt(memberAt(record, name)));
  const safe = lists.flat().flatMap((place) => intervalOf(gemVersions, parseRequirement(stringAt(place))) ?? []);
  return rangesOf(complementOf(gemVersions, safe), nextGemVersion);
}

/** A version above another one. RubyGems has no lowest one, but no gem has a version between these two. */
function nextGemVersion(version: string): string {
  return `${version}.0.0.0.1`;
}

function linksOf(record: JsonPlace): readonly string[] {
  const related = memberAt(record, "related");
  const urls = isAbsent(related) ? [] : optionalItemsAt(memberAt(related, "url")).map(stringAt);
  const links = [optionalStringAt(memberAt(record, "url")), ...urls];
  return [...new Set(links.filter((url): url is string => url !== undefined && /^https?:\/\//.test(url)))];
}

/**
 * The comparisons of a requirement of RubyGems, all of which must hold.
 *
 * ```
 * requirement = part {"," part}
 * part        = ["=" | ">" | ">=" | "<" | "<=" | "~>"] version
 * ```
 * `~> 1.5.5` is `>= 1.5.5` and below every version of 1.6, prereleases included.
 *
 * @throws ScanError `malformed_feed`
 * @see https://guides.rubygems.org/patterns/#pessimistic-version-constraint
 */
function parseRequirement(text: string): readonly Comparison[] {
  return text.split(",").flatMap((part) => comparisonsOf(part.trim()));
}

const operators: ReadonlySet<string> = new Set<Comparison["operator"]>(["<", "<=", "=", ">", ">="]);

function comparisonsOf(part: string): readonly Comparison[] {
  const [, operator = "=", version = ""] = /^(~>|[<>]=?|=)?\s*([0-9A-Za-z.-]+)$/.exec(part) ?? [];
  if (version === "") throw malformedRecord(`no requirement ${JSON.stringify(part)}`);
  if (operator === "~>")
    return [
      { operator: ">=", version },
      { operator: "<", version: `${bumped(version)}.A` },
    ];
  if (!isOperator(operator)) throw malformedRecord(`no operator ${JSON.stringify(operator)}`);
  return [{ operator, version }];
}

function isOperator(text: string): text is Comparison["operator"] {
  return operators.has(text);
}

/** The next release of all but the last number: `1.6` of `1.5.5` and of `1.5.5.rc1`, `2` of `1.5` and of `1`. */
function bumped(version: string): string {
  const [release = ""] = /^\d+(?:\.\d+)*/.exec(version) ?? [];
  const numbers = release.split(".");
  const kept = numbers.length > 1 ? numbers.slice(0, -1) : numbers;
  const last = kept.length - 1;
  return [...kept.slice(0, last), String(BigInt(kept[last] ?? "0") + 1n)].join(".");
}
