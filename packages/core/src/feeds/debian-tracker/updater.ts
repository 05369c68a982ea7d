import type { Advisory } from "../../model/advisory.ts";
import { type JsonPlace, membersAt } from "../../model/json-place.ts";
import type { FeedReader } from "../../plugins/feed.ts";
import type { FeedItem, Fingerprint, Update, Updater } from "../../plugins/updater.ts";
import { type FeedFile, feedFiles } from "../shared/feed-files.ts";
import { feedParts } from "../shared/feed-parts.ts";
import { jsonMembers } from "../shared/json-members.ts";
import { malformedFeed, recordItems } from "../shared/malformed-feed.ts";
import { debianAdvisories } from "./tracker.ts";

/** Raised when the same document would give other advisories. */
const revision = 2;

/** Brings the Debian security tracker in: one JSON document, or a folder of such. */
export const debianTrackerUpdater: Updater = {
  name: "debian",
  location: "https://security-tracker.debian.org/tracker/data/json",
  scope: { partBytes: { debian: 0 }, sharedBytes: 70e6 },
  update,
};

async function update(feeds: FeedReader, previous?: Fingerprint): Promise<Update<Advisory>> {
  const parts = feedParts(feeds, revision, previous);
  const changed = await parts.finish([await parts.get()]);
  if (changed === undefined) return { kind: "unchanged" };
  const files = changed.parts.flatMap(feedFiles).filter(({ name }) => name === "" || name.endsWith(".json"));
  if (files.length === 0)
    throw malformedFeed("the folder of the Debian tracker", "expected JSON documents, found none");
  return { kind: "snapshot", fingerprint: changed.fingerprint, items: itemsOf(files) };
}

/** Source by source: the whole document, which has about 70 MB, is never in memory. */
async function* itemsOf(files: readonly FeedFile[]): AsyncGenerator<FeedItem<Advisory>> {
  for (const { stream, location } of files) {
    for await (const [source, place] of jsonMembers(stream(), location)) {
      for (const entry of recordItems(`${location}: ${source}`, () => membersAt(place))) {
        yield* entry.kind === "problem" ? [entry] : entryItems(source, entry.item);
      }
    }
  }
}

function entryItems(source: string, [name, place]: readonly [string, JsonPlace]): readonly FeedItem<Advisory>[] {
  return recordItems(`${place.document}: ${source} ${name}`, (readPart) =>
    debianAdvisories({ source, name }, place, readPart),
  );
}
