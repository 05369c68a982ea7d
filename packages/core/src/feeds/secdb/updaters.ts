import type { Advisory } from "../../model/advisory.ts";
import { parseJson } from "../../model/json.ts";
import { documentPlace } from "../../model/json-place.ts";
import type { FeedItem, Updater } from "../../plugins/updater.ts";
import { type ChosenFiles, chosenFiles } from "../shared/chosen-files.ts";
import { readFeedFile } from "../shared/feed-files.ts";
import type { FeedPart, FeedParts, ReadablePart } from "../shared/feed-parts.ts";
import { failedItems, leftOutRecord, recordItems } from "../shared/malformed-feed.ts";
import { isData } from "../shared/recognized.ts";
import { snapshotUpdater } from "../shared/snapshot-updater.ts";
import { readSecdb, secdbAdvisories } from "./secdb.ts";

/** Increased when a change alters the advisories of the same documents. */
const revision = 4;

/** The first branch on the site, and the number of consecutive missing branches that ends the search. */
const firstMinor = 3;
const lastMinor = 99;
const missesAllowed = 2;

const repositories = ["main", "community"] as const;

/**
 * Imports the Alpine security database: from the site with its documents `v3.N/main.json`, `edge/community.json` …, a folder
 * of documents with any names, or one document.
 */
export const alpineSecdbUpdater = snapshotUpdater({
  name: "alpine",
  location: "https://secdb.alpinelinux.org",
  scope: { partBytes: { alpine: 0 }, sharedBytes: 20e6 },
  revision,
  findParts: findAlpineParts,
  items: (parts) => secdbItems("alpine", parts),
});

/** Imports Wolfi's security database. */
export const wolfiSecdbUpdater = singleSecdbUpdater("wolfi", "https://packages.wolfi.dev/os/security.json");

/** Imports Chainguard's security database. */
export const chainguardSecdbUpdater = singleSecdbUpdater(
  "chainguard",
  "https://packages.cgr.dev/chainguard/security.json",
);

function singleSecdbUpdater(name: string, location: string): Updater {
  const scope = { partBytes: { [name]: 0 }, sharedBytes: 5e6 };
  return snapshotUpdater({ name, location, scope, revision, items: (parts) => secdbItems(name, parts) });
}

function secdbItems(feed: string, parts: readonly ReadablePart[]): AsyncIterable<FeedItem<Advisory>> {
  const expected = { feed, expected: "security databases" };
  return itemsOf(
    feed,
    chosenFiles(parts, (name) => name.endsWith(".json"), expected),
  );
}

/** The location itself if it is a folder or a database. The site's own address gives a web page or nothing. */
async function findAlpineParts(parts: FeedParts): Promise<readonly FeedPart[]> {
  const whole = await parts.find();
  if (whole !== undefined && (await isData(whole))) return [whole];
  const found = await findBranch(parts, "edge");
  for (let minor = firstMinor, misses = 0; minor <= lastMinor && misses < missesAllowed; minor++) {
    const branch = await findBranch(parts, `v3.${minor}`);
    misses = branch.length === 0 ? misses + 1 : 0;
    found.push(...branch);
  }
  return found;
}

async function findBranch(parts: FeedParts, branch: string): Promise<FeedPart[]> {
  const found: FeedPart[] = [];
  for (const repository of repositories) {
    const part = await parts.find(`${branch}/${repository}.json`);
    if (part !== undefined) found.push(part);
  }
  return found;
}

/** Whether a feed has advisories of a distribution: another one's are never looked up, since its own feed covers its packages. */
function isOf(updater: string, ecosystem: string): boolean {
  return ecosystem.split(":", 1)[0] === updater;
}

async function* itemsOf(updater: string, { files, skipped }: ChosenFiles): AsyncGenerator<FeedItem<Advisory>> {
  yield* skipped;
  for (const file of files) {
    const document = parseJson(await readFeedFile(file), file.location, "malformed_feed");
    const secdb = readSecdb(documentPlace(document, file.location, "malformed_feed"), file.name || updater);
    if (secdb === undefined) {
      yield* failedItems(
        file.location,
        "expected the distribution and its branch in the content or the name, found neither",
      );
      continue;
    }
    if (!isOf(updater, secdb.ecosystem)) {
      const at = `${file.location} (${secdb.ecosystem})`;
      for (const _ of secdb.packages) yield leftOutRecord("other-ecosystem", at);
      continue;
    }
    for (const listed of secdb.packages) {
      yield* recordItems(`${file.location}: ${listed.path}`, (readPart) =>
        secdbAdvisories({ updater, secdb }, listed, readPart),
      );
    }
  }
}
