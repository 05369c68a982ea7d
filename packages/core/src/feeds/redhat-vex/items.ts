import type { Advisory } from "../../model/advisory.ts";
import { parseJson } from "../../model/json.ts";
import { documentPlace } from "../../model/json-place.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import type { FeedText, UnreadableText } from "../shared/feed-text.ts";
import { recordItems } from "../shared/malformed-feed.ts";
import { csafAdvisories } from "./document.ts";

/** The advisories of one document. A malformed document gives a problem. */
export function documentItems(bytes: Uint8Array, at: string): readonly FeedItem<Advisory>[] {
  return recordItems(at, () => {
    const document = parseJson(bytes, at, "malformed_feed");
    return csafAdvisories(documentPlace(document, at, "malformed_feed"));
  });
}

/** The advisories of a document of an archive. A document that cannot be read gives a problem. */
export function archivedItems(document: FeedText | UnreadableText): readonly FeedItem<Advisory>[] {
  if ("error" in document) return [{ kind: "problem", at: document.location, message: document.error.message }];
  return documentItems(document.bytes, document.location);
}

/** Whether a document of an archive is CSAF, by its name. */
export function isJsonName(name: string): boolean {
  return name.endsWith(".json");
}
