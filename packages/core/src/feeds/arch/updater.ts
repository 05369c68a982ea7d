/**
 * The vulnerability groups of Arch Linux.
 *
 * ```
 * [{ name: "AVG-20", packages: [name], status, severity, type, affected: version, fixed: version | null, issues: [CVE], advisories: [ASA] }]
 * status = "Vulnerable" | "Fixed" | "Testing" | "Not affected" | "Unknown"
 * ```
 * `affected` is the version in which the problem was seen, not the first affected one. `Testing`: the fix is not in the stable
 * repositories yet.
 *
 * @see https://security.archlinux.org
 */
import type { Advisory } from "../../model/advisory.ts";
import { parseJson } from "../../model/json.ts";
import {
  documentPlace,
  itemsAt,
  type JsonPlace,
  memberAt,
  optionalItemsAt,
  optionalStringAt,
  stringAt,
  unexpected,
} from "../../model/json-place.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import { type ChosenFiles, chosenFiles } from "../shared/chosen-files.ts";
import { readFeedFile } from "../shared/feed-files.ts";
import { recordItems } from "../shared/malformed-feed.ts";
import { snapshotUpdater } from "../shared/snapshot-updater.ts";
import { normalizeSeverity } from "../shared/vendor-severity.ts";

/** The maximal size of a document, which has about a megabyte. */
const maxBytes = 256 * 1024 ** 2;

/** Imports the vulnerability groups of Arch Linux, from one document or a folder of documents. */
export const archUpdater = snapshotUpdater({
  name: "arch",
  location: "https://security.archlinux.org/all.json",
  scope: { partBytes: { arch: 0 }, sharedBytes: 2e6 },
  revision: 1,
  items: (parts) => itemsOf(chosenFiles(parts, (name) => name.endsWith(".json"), groups)),
});

const groups = { feed: "arch", expected: "documents of vulnerability groups" };

async function* itemsOf({ files, skipped }: ChosenFiles): AsyncGenerator<FeedItem<Advisory>> {
  yield* skipped;
  for (const file of files) {
    const document = parseJson(await readFeedFile(file, maxBytes), file.location, "malformed_feed");
    for (const group of itemsAt(documentPlace(document, file.location, "malformed_feed"))) {
      yield* recordItems(`${file.location}: ${group.path}`, () => groupAdvisories(group));
    }
  }
}

const site = "https://security.archlinux.org";

/** The advisories of one group: one for each of its packages and vulnerabilities. @throws ScanError `malformed_feed` */
function groupAdvisories(place: JsonPlace): readonly Advisory[] {
  const group = stringAt(memberAt(place, "name"));
  const packages = optionalItemsAt(memberAt(place, "packages")).map(stringAt);
  const issues = optionalItemsAt(memberAt(place, "issues")).map(stringAt);
  const advisories = optionalItemsAt(memberAt(place, "advisories")).map(stringAt);
  const severity = optionalStringAt(memberAt(place, "severity"));
  const description = optionalStringAt(memberAt(place, "type"));
  const judged = judgement(place);
  const names = issues.length === 0 ? [group] : issues;
  return packages.flatMap((packageName) =>
    names.map((name) => ({
      id: ["arch", group, name, packageName].join("/"),
      updater: "arch",
      name,
      aliases: [],
      ecosystem: "arch",
      packageName,
      packageKind: "BINARY",
      ...judged,
      versions: [],
      links: [...new Set([name, group, ...advisories])].map((id) => `${site}/${id}`),
      normalizedSeverity: normalizeSeverity("arch", severity),
      severity,
      description,
    })),
  );
}

function judgement(place: JsonPlace): Pick<Advisory, "status" | "ranges"> {
  const status = memberAt(place, "status");
  const fixed = optionalStringAt(memberAt(place, "fixed"));
  switch (stringAt(status)) {
    case "Fixed":
    case "Testing":
    case "Vulnerable":
      return { status: "affected", ranges: [fixed === undefined ? {} : { fixed }] };
    case "Not affected":
      return { status: "not-affected", ranges: [{}] };
    case "Unknown":
      return { status: "undetermined", ranges: [{}] };
    default:
      throw unexpected(status, "one of Vulnerable, Fixed, Testing, Not affected, Unknown");
  }
}
