import type { Advisory } from "../../model/advisory.ts";
import { type JsonPlace, membersAt } from "../../model/json-place.ts";
import type { FeedReader } from "../../plugins/feed.ts";
import type { FeedItem, Fingerprint, Update, Updater } from "../../plugins/updater.ts";
import { type ChosenFiles, chooseFiles } from "../shared/chosen-files.ts";
import { feedFiles } from "../shared/feed-files.ts";
import { type FeedPart, type FeedParts, feedParts } from "../shared/feed-parts.ts";
import { jsonMembers } from "../shared/json-members.ts";
import { malformedFeed, partItems, recordItems } from "../shared/malformed-feed.ts";
import { readPage } from "../shared/read-page.ts";
import { gitItems, isGitForm, listNames } from "./git/items.ts";
import { debianAdvisories } from "./tracker.ts";

/** Increased when a change alters the advisories of the same documents. */
const revision = 3;

/**
 * Imports the Debian security tracker: from one JSON document or a folder of documents, or from the lists in its repository, in a copy of it or
 * on a server with its files.
 */
export const debianTrackerUpdater: Updater = {
  name: "debian",
  location: "https://security-tracker.debian.org/tracker/data/json",
  scope: { partBytes: { debian: 0 }, sharedBytes: 70e6 },
  update,
};

async function update(feeds: FeedReader, previous?: Fingerprint): Promise<Update<Advisory>> {
  const parts = feedParts(feeds, revision, previous);
  const changed = await parts.finish(await findParts(parts));
  if (changed === undefined) return { kind: "unchanged" };
  const files = changed.parts.flatMap(feedFiles);
  const { fingerprint } = changed;
  if (isGitForm(files.map(({ name }) => name)))
    return { kind: "snapshot", fingerprint, items: gitItems(files, feeds.startedAt) };
  const chosen = chooseFiles(files, (name) => name.endsWith(".json"));
  if (chosen.files.length === 0)
    throw malformedFeed("the folder of the Debian tracker", "expected JSON documents, found none");
  return { kind: "snapshot", fingerprint, items: itemsOf(chosen) };
}

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
