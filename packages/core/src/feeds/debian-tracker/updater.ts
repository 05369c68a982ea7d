import type { Advisory } from "../../model/advisory.ts";
import { type JsonPlace, membersAt } from "../../model/json-place.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import { type ChosenFiles, chosenFiles } from "../shared/chosen-files.ts";
import { feedFiles } from "../shared/feed-files.ts";
import type { FeedPart, FeedParts } from "../shared/feed-parts.ts";
import { jsonMembers } from "../shared/json-members.ts";
import { partItems, recordItems } from "../shared/malformed-feed.ts";
import { readPage } from "../shared/read-page.ts";
import { snapshotUpdater } from "../shared/snapshot-updater.ts";
import { gitItems, isGitForm, listNames } from "./git/items.ts";
import { debianAdvisories } from "./tracker.ts";

/**
 * Imports the Debian security tracker: from one JSON document or a folder of documents, or from the lists in its repository, in a copy of it or
 * on a server with its files.
 */
export const debianTrackerUpdater = snapshotUpdater({
  name: "debian",
  location: "https://security-tracker.debian.org/tracker/data/json",
  scope: { partBytes: { debian: 0 }, sharedBytes: 70e6 },
  revision: 4,
  findParts,
  items(parts, { startedAt }) {
    const files = parts.flatMap(feedFiles);
    if (isGitForm(files.map(({ name }) => name))) return gitItems(files, startedAt);
    return itemsOf(chosenFiles(parts, (name) => name.endsWith(".json"), documents));
  },
});

const documents = { feed: "the folder of the Debian tracker", expected: "JSON documents" };

/** The location itself if it is a document or folder. The address of a server with the repository's files gives a web page or nothing. */
async function findParts(parts: FeedParts): Promise<readonly FeedPart[]> {
  const whole = await parts.find();
  if (whole !== undefined && (await readPage(whole)) === undefined) return [whole];
  const [first, ...others] = listNames;
  const list = await parts.find(first);
  if (list === undefined) return [whole ?? (await parts.get())];
  const found = [list];
  for (const name of others) found.push(await parts.get(name));
  return found;
}

/** Reads one source package at a time, since the document has about 70 MB. */
async function* itemsOf({ files, skipped }: ChosenFiles): AsyncGenerator<FeedItem<Advisory>> {
  yield* skipped;
  for (const { stream, location } of files) {
    for await (const [source, place] of jsonMembers(stream(), location)) {
      yield* partItems(
        `${location}: ${source}`,
        () => membersAt(place),
        (entry) => entryItems(source, entry),
      );
    }
  }
}

function entryItems(source: string, [name, place]: readonly [string, JsonPlace]): readonly FeedItem<Advisory>[] {
  return recordItems(`${place.document}: ${source} ${name}`, (readPart) =>
    debianAdvisories({ source, name }, place, readPart),
  );
}
