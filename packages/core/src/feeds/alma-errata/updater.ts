import { ScanError } from "../../errors.ts";
import type { Advisory } from "../../model/advisory.ts";
import { itemsAt } from "../../model/json-place.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import { documentItems } from "../shared/document-items.ts";
import { feedFiles } from "../shared/feed-files.ts";
import type { FeedPart, FeedParts, ReadablePart } from "../shared/feed-parts.ts";
import type { FeedText } from "../shared/feed-text.ts";
import { recordItems } from "../shared/malformed-feed.ts";
import { parseRecord } from "../shared/parse-record.ts";
import { readPage } from "../shared/read-page.ts";
import { recognized } from "../shared/recognized.ts";
import { snapshotUpdater } from "../shared/snapshot-updater.ts";
import { type UpdateVendor, updateAdvisories } from "../updateinfo/update.ts";
import { erratumAsUpdate } from "./erratum.ts";

/** The releases that have errata. */
const releases = ["8", "9", "10"] as const;

const vendor: UpdateVendor = {
  updater: "alma",
  ecosystemOf: ({ release }) => (release === undefined ? undefined : `almalinux:${release}`),
  listsOneArch: true,
};

/**
 * Imports AlmaLinux's errata with their modules, from the site, a folder of documents or one document.
 * @see https://errata.almalinux.org
 */
export const almaUpdater = snapshotUpdater({
  name: vendor.updater,
  location: "https://errata.almalinux.org/",
  scope: { partBytes: { almalinux: 0 }, sharedBytes: 60e6 },
  revision: 1,
  findParts,
  items: (parts) => recognized(itemsOf(parts), { feed: vendor.updater, expected: "errata" }),
});

/** The location itself if it is a document or folder. The site's own address gives a web page or nothing. */
async function findParts(parts: FeedParts): Promise<readonly FeedPart[]> {
  const whole = await parts.find();
  if (whole !== undefined && (await readPage(whole)) === undefined) return [whole];
  const found: FeedPart[] = [];
  for (const release of releases) {
    const part = await parts.find(`${release}/errata.json`);
    if (part !== undefined) found.push(part);
  }
  if (found.length === 0) throw new ScanError("not_found", "expected errata of AlmaLinux, found none");
  return found;
}

async function* itemsOf(parts: readonly ReadablePart[]): AsyncGenerator<FeedItem<Advisory>> {
  const read = (document: FeedText) =>
    itemsAt(parseRecord(document.bytes, document.location)).flatMap((erratum) =>
      recordItems(`${document.location}${erratum.path}`, (readPart) =>
        updateAdvisories(erratumAsUpdate(erratum), vendor, readPart),
      ),
    );
  for (const file of parts.flatMap(feedFiles))
    yield* documentItems(file, { wants: (name) => name.endsWith(".json"), read });
}
