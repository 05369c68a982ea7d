import type { Advisory } from "../../model/advisory.ts";
import { parseJson } from "../../model/json.ts";
import { documentPlace } from "../../model/json-place.ts";
import type { FeedReader } from "../../plugins/feed.ts";
import type { FeedItem, Fingerprint, Update, Updater } from "../../plugins/updater.ts";
import { type ChosenFiles, chooseFiles } from "../shared/chosen-files.ts";
import { feedFiles, readFeedFile } from "../shared/feed-files.ts";
import { type FeedPart, type FeedParts, feedParts } from "../shared/feed-parts.ts";
import { isData } from "../shared/is-data.ts";
import { failedItems, malformedFeed, recordItems } from "../shared/malformed-feed.ts";
import { readSecdb, secdbAdvisories } from "./secdb.ts";

/** Increased when a change alters the advisories of the same documents. */
const revision = 3;

/** The first branch on the site, and the number of consecutive missing branches that ends the search. */
const firstMinor = 3;
const lastMinor = 99;
const missesAllowed = 2;

const repositories = ["main", "community"] as const;

/**
 * Imports the Alpine security database: from the site with its documents `v3.N/main.json`, `edge/community.json` …, a folder
 * of documents with any names, or one document.
 */
export const alpineSecdbUpdater: Updater = {
  name: "alpine",
  location: "https://secdb.alpinelinux.org",
  scope: { partBytes: { alpine: 0 }, sharedBytes: 20e6 },
  async update(feeds, previous) {
    const parts = feedParts(feeds, revision, previous);
    const found = await findAlpineParts(parts);
    return updateOf("alpine", parts, found);
  },
};

/** Imports Wolfi's security database. */
export const wolfiSecdbUpdater = singleSecdbUpdater("wolfi", "https://packages.wolfi.dev/os/security.json");

/** Imports Chainguard's security database. */
export const chainguardSecdbUpdater = singleSecdbUpdater(
  "chainguard",
  "https://packages.cgr.dev/chainguard/security.json",
);

function singleSecdbUpdater(name: string, location: string): Updater {
  return { name, location, scope: { partBytes: { [name]: 0 }, sharedBytes: 5e6 }, update };

  async function update(feeds: FeedReader, previous?: Fingerprint): Promise<Update<Advisory>> {
    const parts = feedParts(feeds, revision, previous);
    return updateOf(name, parts, [await parts.get()]);
  }
}

async function updateOf(updater: string, parts: FeedParts, found: readonly FeedPart[]): Promise<Update<Advisory>> {
  const changed = await parts.finish(found);
  if (changed === undefined) return { kind: "unchanged" };
  const chosen = chooseFiles(changed.parts.flatMap(feedFiles), (name) => name.endsWith(".json"));
  if (chosen.files.length === 0) throw malformedFeed(updater, "expected security databases, found none");
  return { kind: "snapshot", fingerprint: changed.fingerprint, items: itemsOf(updater, chosen) };
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
    for (const listed of secdb.packages) {
      yield* recordItems(`${file.location}: ${listed.path}`, (readPart) =>
        secdbAdvisories({ updater, secdb }, listed, readPart),
      );
    }
  }
}
