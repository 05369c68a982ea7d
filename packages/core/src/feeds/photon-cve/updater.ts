import type { Advisory } from "../../model/advisory.ts";
import { parseJson } from "../../model/json.ts";
import { documentPlace, itemsAt, memberAt, stringAt } from "../../model/json-place.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import { type ChosenFiles, chooseFiles } from "../shared/chosen-files.ts";
import { feedFiles, readFeedFile } from "../shared/feed-files.ts";
import type { FeedPart, FeedParts } from "../shared/feed-parts.ts";
import { leftOutRecord, malformedFeed, recordItems } from "../shared/malformed-feed.ts";
import { readPage } from "../shared/read-page.ts";
import { recognized } from "../shared/recognized.ts";
import { snapshotUpdater } from "../shared/snapshot-updater.ts";
import { photonAdvisory } from "./records.ts";

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
