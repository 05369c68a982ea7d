/**
 * Photon OS's statements on vulnerabilities in its packages, in a document for each release.
 *
 * ```
 * [{ cve_id, pkg, cve_score: number | null, aff_ver, res_ver, status? }]
 * ```
 * `pkg` is a source package and `res_ver` its version with the fix: `1.5-3.ph2`, or `NA` where there is none. `aff_ver` is the same as
 * text. `status` is `Not Affected` where the package was never affected.
 *
 * @see https://packages.broadcom.com/photon/photon_cve_metadata/
 */
import type { Advisory } from "../../model/advisory.ts";
import { parseJson } from "../../model/json.ts";
import {
  documentPlace,
  isAbsent,
  itemsAt,
  type JsonPlace,
  memberAt,
  optionalStringAt,
  placeError,
  stringAt,
  unexpected,
} from "../../model/json-place.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import { type ChosenFiles, chooseFiles } from "../shared/chosen-files.ts";
import { feedFiles, readFeedFile } from "../shared/feed-files.ts";
import type { FeedPart, FeedParts } from "../shared/feed-parts.ts";
import { leftOutRecord, malformedFeed, recordItems } from "../shared/malformed-feed.ts";
import { readPage } from "../shared/read-page.ts";
import { recognized } from "../shared/recognized.ts";
import { type AdvisorySeverity, scoreSeverity, unknownSeverity } from "../shared/scored-severity.ts";
import { snapshotUpdater } from "../shared/snapshot-updater.ts";

/** The maximal size of a document; one of a release has some megabytes. */
const maxBytes = 256 * 1024 ** 2;

/** The maximal number of releases in their list. */
const maxReleases = 100;

/** The maximal size of the list of releases, which has about 100 bytes. */
const maxListBytes = 64 * 1024;

const listName = "photon_versions.json";
const nameOfRelease = /(?:^|\/)cve_data_photon(\d+\.\d+)\.json(?:\.(?:gz|bz2|xz|zst))?$/;

/**
 * Imports Photon OS's statements on single vulnerabilities. Unlike its OVAL, they include unfixed ones and those that do not affect it. Reads the
 * document of each release in the site's list, a folder of documents, or one document.
 */
export const photonCveUpdater = snapshotUpdater({
  name: "photon-cve",
  location: "https://packages.broadcom.com/photon/photon_cve_metadata/",
  scope: { partBytes: { photon: 0 }, sharedBytes: 15e6 },
  revision: 2,
  findParts: findDocuments,
  items(parts) {
    const chosen = chooseFiles(parts.flatMap(feedFiles), (name) => name.endsWith(".json"));
    return recognized(itemsOf(chosen), { feed: "photon-cve", expected: "documents of releases" });
  },
});

/** The location itself if it is a folder or a document; on a site, the documents of the releases in its list. */
async function findDocuments(parts: FeedParts): Promise<readonly FeedPart[]> {
  const whole = await parts.find();
  if (whole !== undefined && (await readPage(whole)) === undefined) return [whole];
  const { feed } = await parts.get(listName);
  if (feed.kind !== "document") throw malformedFeed(listName, "expected a document");
  if (feed.sizeBytes > maxListBytes)
    throw malformedFeed(feed.location, `expected at most ${maxListBytes} bytes, found ${feed.sizeBytes}`);
  const list = parseJson(await feed.readAt(0, feed.sizeBytes), feed.location, "malformed_feed");
  const branches = itemsAt(memberAt(documentPlace(list, feed.location, "malformed_feed"), "branches"));
  const found: FeedPart[] = [];
  for (const branch of branches.slice(0, maxReleases)) {
    found.push(await parts.get(`cve_data_photon${stringAt(branch)}.json`));
  }
  return found;
}

async function* itemsOf({ files, skipped }: ChosenFiles): AsyncGenerator<FeedItem<Advisory>> {
  yield* skipped;
  for (const file of files) {
    const [, release] = nameOfRelease.exec(file.location) ?? [];
    const document = parseJson(await readFeedFile(file, maxBytes), file.location, "malformed_feed");
    if (file.name !== "" && !Array.isArray(document)) {
      yield leftOutRecord("not-an-advisory", file.location); // the list of releases
      continue;
    }
    for (const record of itemsAt(documentPlace(document, file.location, "malformed_feed"))) {
      yield* recordItems(`${file.location}: ${record.path}`, () => [photonAdvisory(record, release)]);
    }
  }
}

/** The advisory of one record. @param release `4.0`, if the name of the document contains it @throws ScanError `malformed_feed` */
function photonAdvisory(place: JsonPlace, release: string | undefined): Advisory {
  const name = stringAt(memberAt(place, "cve_id"));
  const packageName = stringAt(memberAt(place, "pkg"));
  const fixed = fixedAt(memberAt(place, "res_ver"));
  const ecosystem = `photon:${release ?? releaseOf(fixed, place)}`;
  const isAffected = optionalStringAt(memberAt(place, "status")) !== "Not Affected";
  return {
    id: ["photon-cve", name, ecosystem, packageName, ...(fixed === undefined ? [] : [fixed])].join("/"),
    updater: "photon-cve",
    name,
    aliases: [],
    ecosystem,
    packageName,
    packageKind: "SOURCE",
    status: isAffected ? "affected" : "not-affected",
    ranges: [isAffected && fixed !== undefined ? { fixed } : {}],
    versions: [],
    links: [`https://nvd.nist.gov/vuln/detail/${name}`],
    ...severityAt(memberAt(place, "cve_score")),
  };
}

function fixedAt(place: JsonPlace): string | undefined {
  const text = optionalStringAt(place);
  return text === "NA" ? undefined : text;
}

function releaseOf(fixed: string | undefined, place: JsonPlace): string {
  const [, number] = /\.ph(\d+)$/.exec(fixed ?? "") ?? [];
  if (number !== undefined) return `${number}.0`;
  throw placeError(place, "expected a release in the name of the document or in the version with the fix, found none");
}

function severityAt(place: JsonPlace): AdvisorySeverity {
  const { value } = place;
  if (isAbsent(place) || value === "") return unknownSeverity;
  const severity = typeof value === "number" || typeof value === "string" ? scoreSeverity(value, "3.1") : undefined;
  if (severity === undefined) throw unexpected(place, "a CVSS score from 0 to 10");
  return severity;
}
