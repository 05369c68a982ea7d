import type { Advisory } from "../../model/advisory.ts";
import { parseJson } from "../../model/json.ts";
import { documentPlace, itemsAt } from "../../model/json-place.ts";
import type { FeedItem, Updater } from "../../plugins/updater.ts";
import { type ChosenFiles, chooseFiles } from "../shared/chosen-files.ts";
import { feedFiles, readFeedFile } from "../shared/feed-files.ts";
import { feedParts } from "../shared/feed-parts.ts";
import { malformedFeed, recordItems } from "../shared/malformed-feed.ts";
import { groupAdvisories } from "./groups.ts";

/** Increased when a change alters the advisories of the same documents. */
const revision = 1;

/** The maximal size of a document, which has about a megabyte. */
const maxBytes = 256 * 1024 ** 2;

/** Imports the vulnerability groups of Arch Linux, from one document or a folder of documents. */
export const archUpdater: Updater = {
  name: "arch",
  location: "https://security.archlinux.org/all.json",
  scope: { partBytes: { arch: 0 }, sharedBytes: 2e6 },
  async update(feeds, previous) {
    const parts = feedParts(feeds, revision, previous);
    const changed = await parts.finish([await parts.get()]);
    if (changed === undefined) return { kind: "unchanged" };
    const chosen = chooseFiles(changed.parts.flatMap(feedFiles), (name) => name.endsWith(".json"));
    if (chosen.files.length === 0)
      throw malformedFeed("arch", "expected documents of vulnerability groups, found none");
    return { kind: "snapshot", fingerprint: changed.fingerprint, items: itemsOf(chosen) };
  },
};

async function* itemsOf({ files, skipped }: ChosenFiles): AsyncGenerator<FeedItem<Advisory>> {
  yield* skipped;
  for (const file of files) {
    const document = parseJson(await readFeedFile(file, maxBytes), file.location, "malformed_feed");
    for (const group of itemsAt(documentPlace(document, file.location, "malformed_feed"))) {
      yield* recordItems(`${file.location}: ${group.path}`, () => groupAdvisories(group));
    }
  }
}
