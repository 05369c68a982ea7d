import type { Advisory } from "../../model/advisory.ts";
import { parseJson } from "../../model/json.ts";
import { documentPlace } from "../../model/json-place.ts";
import type { FeedItem } from "../../plugins.ts";
import { recordItems } from "../shared/malformed-feed.ts";
import { csafAdvisories } from "./document.ts";

/** The advisories of one document. One that cannot be read is a problem, and nothing else is lost. */
export function documentItems(bytes: Uint8Array, at: string): readonly FeedItem<Advisory>[] {
  return recordItems(at, () => {
    const document = parseJson(bytes, at, "malformed_feed");
    return csafAdvisories(documentPlace(document, at, "malformed_feed"));
  });
}

/** The problem with a document that is not read. */
export function tooLarge(at: string): FeedItem<never> {
  return { kind: "problem", at, message: "the document is too large to be read" };
}
