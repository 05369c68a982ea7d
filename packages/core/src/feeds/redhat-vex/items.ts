import type { Advisory } from "../../model/advisory.ts";
import { parseJson } from "../../model/json.ts";
import { documentPlace } from "../../model/json-place.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import type { ListedText } from "../shared/feed-documents.ts";
import { hasAnyMember } from "../shared/has-any-member.ts";
import { failedItems, leftOutRecord, recordItems } from "../shared/malformed-feed.ts";
import { csafAdvisories } from "./document.ts";

/** The advisories of one document. A malformed document gives a problem; one that is not CSAF is skipped. */
export function documentItems(bytes: Uint8Array, at: string): readonly FeedItem<Advisory>[] {
  return recordItems(at, (readPart) => {
    const document = documentPlace(parseJson(bytes, at, "malformed_feed"), at, "malformed_feed");
    if (!hasAnyMember(document, ["document", "product_tree", "vulnerabilities"]))
      return readPart.leaveOut("not-an-advisory");
    return csafAdvisories(document, readPart);
  });
}

/** The advisories of a document of an archive. A document that cannot be read gives a problem. */
export function archivedItems(document: ListedText): readonly FeedItem<Advisory>[] {
  if ("skipped" in document) return [leftOutRecord(document.skipped, document.location)];
  if ("error" in document) return failedItems(document.location, document.error.message);
  return documentItems(document.bytes, document.location);
}

/** Whether a document of an archive is CSAF, by its name. */
export function isJsonName(name: string): boolean {
  return name.endsWith(".json");
}
