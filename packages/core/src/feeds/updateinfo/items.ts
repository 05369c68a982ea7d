import type { Advisory } from "../../model/advisory.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import type { FeedFile } from "../shared/feed-files.ts";
import { recordItems } from "../shared/malformed-feed.ts";
import { childText, xmlElements } from "../shared/xml-elements.ts";
import { type UpdateVendor, updateAdvisories } from "./update.ts";

/** The advisories of an `updateinfo.xml`, compressed or not. @throws ScanError `malformed_feed` */
export async function* updateItems(file: FeedFile, vendor: UpdateVendor): AsyncGenerator<FeedItem<Advisory>> {
  const selection = { root: "updates", depth: 1, wants: (name: string) => name === "update" };
  for await (const update of xmlElements(file.stream(), file.location, selection)) {
    const at = `${file.location}: ${childText(update, "id") ?? "an update without an id"}`;
    yield* recordItems(at, (readPart) => updateAdvisories(update, vendor, readPart));
  }
}
