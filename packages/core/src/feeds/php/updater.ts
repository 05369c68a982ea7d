/**
 * An advisory of the PHP security advisories database.
 *
 * ```
 * { title, link, cve?, reference: "composer://vendor/package", composer-repository?,
 *   branches: { name: { time?, versions: [comparison] } } }
 * comparison = [">=" | ">" | "<=" | "<" | "=" | "=="] version
 * ```
 * A version is affected if it meets all comparisons of a branch.
 *
 * @see https://github.com/FriendsOfPHP/security-advisories#contributing
 */

import type { Advisory } from "../../model/advisory.ts";
import {
  itemsAt,
  type JsonPlace,
  memberAt,
  membersAt,
  optionalStringAt,
  stringAt,
  unexpected,
} from "../../model/json-place.ts";
import { lookupName } from "../../model/package-name.ts";
import type { Updater } from "../../plugins/updater.ts";
import { composerVersions } from "../../versions/composer/version.ts";
import { databaseUpdater, fileStem } from "../shared/database-updater.ts";
import { type ReadPart, recordItems } from "../shared/malformed-feed.ts";
import { parseRecord } from "../shared/parse-record.ts";
import { hasAnyMember } from "../shared/recognized.ts";
import { unknownSeverity } from "../shared/scored-severity.ts";
import { type Comparison, type Interval, intervalOf, rangesOf } from "../shared/version-intervals.ts";

/**
 * Imports the PHP security advisories database: from its archive, a folder of its documents or one document.
 * @see https://github.com/FriendsOfPHP/security-advisories
 */
export const phpUpdater: Updater = databaseUpdater({
  name: "php",
  location: "https://codeload.github.com/FriendsOfPHP/security-advisories/tar.gz/refs/heads/master",
  scope: { partBytes: { Packagist: 0 }, sharedBytes: 2e6 },
  revision: 2,
  wants: (name) => /\.ya?ml$/.test(name),
  reader: () => (document) => {
    const record = parseRecord(document.bytes, document.location);
    return recordItems(document.location, (readPart) => phpAdvisories(record, document.name, readPart));
  },
});

/**
 * The advisory of a document. Its name is the name of the file, after the package unless the file is named by a CVE or GHSA id. A malformed branch is skipped.
 * @throws ScanError `malformed_feed` where it names no package
 */
function phpAdvisories(record: JsonPlace, file: string, readPart: ReadPart): readonly Advisory[] {
  if (!hasAnyMember(record, ["reference", "branches"])) return readPart.leaveOut("not-an-advisory");
  const packageName = lookupName("Packagist", packageOf(memberAt(record, "reference")));
  const stem = fileStem(file);
  const name = /^(?:CVE|GHSA)-/.test(stem) ? stem : `${packageName}/${stem}`;
  const cve = readPart(() => optionalStringAt(memberAt(record, "cve")));
  const link = readPart(() => optionalStringAt(memberAt(record, "link")));
  const description = readPart(() => optionalStringAt(memberAt(record, "title")));
  const branches = membersAt(memberAt(record, "branches"));
  const intervals = branches.flatMap(([, branch]) => readPart(() => branchInterval(branch)) ?? []);
  if (intervals.length === 0) return [];
  return [
    {
      id: `php/${name}/Packagist/${packageName}`,
      updater: "php",
      name,
      aliases: cve === undefined || cve === name || !/^CVE-/.test(cve) ? [] : [cve],
      ecosystem: "Packagist",
      packageName,
      packageKind: "BINARY",
      status: "affected",
      ranges: rangesOf(intervals, (version) => `${version}.0.1`),
      versions: [],
      links: link !== undefined && /^https?:\/\//.test(link) ? [link] : [],
      description,
      ...unknownSeverity,
    },
  ];
}

function packageOf(reference: JsonPlace): string {
  const found = /^composer:\/\/(\S+)$/.exec(stringAt(reference))?.[1];
  if (found === undefined) throw unexpected(reference, "composer://vendor/package");
  return found;
}

/** Undefined where no version can meet all comparisons. */
function branchInterval(branch: JsonPlace): Interval | undefined {
  return intervalOf(composerVersions, itemsAt(memberAt(branch, "versions")).map(comparisonAt));
}

function comparisonAt(place: JsonPlace): Comparison {
  const [, operator = "=", version] = /^([<>]=?|==?)?\s*([^\s<>=]+)$/.exec(stringAt(place)) ?? [];
  if (version === undefined) throw unexpected(place, "a comparison with a version");
  return { operator: (operator === "==" ? "=" : operator) as Comparison["operator"], version };
}
