import type { Advisory } from "../../model/advisory.ts";
import { parseJson } from "../../model/json.ts";
import { documentPlace, itemsAt } from "../../model/json-place.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import { type ChosenFiles, chosenFiles } from "../shared/chosen-files.ts";
import { readFeedFile } from "../shared/feed-files.ts";
import { recordItems } from "../shared/malformed-feed.ts";
import { snapshotUpdater } from "../shared/snapshot-updater.ts";
import { groupAdvisories } from "./groups.ts";

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
