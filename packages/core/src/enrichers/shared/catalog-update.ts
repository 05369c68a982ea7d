import { feedFiles, readFeedFile } from "../../feeds/shared/feed-files.ts";
import { feedParts } from "../../feeds/shared/feed-parts.ts";
import { parseJson } from "../../model/json.ts";
import { documentPlace, type JsonPlace } from "../../model/json-place.ts";
import type { EnrichmentRecord } from "../../plugins/enricher.ts";
import type { FeedReader } from "../../plugins/feed.ts";
import type { FeedItem, Fingerprint, Update } from "../../plugins/updater.ts";
import { newestFile } from "./newest-file.ts";

/** A feed of facts that is one JSON document. */
export interface Catalog {
  /** Increased when the same document would give other records. */
  readonly revision: number;
  /** The largest document that is read. */
  readonly maxBytes: number;
  records(document: JsonPlace): readonly FeedItem<EnrichmentRecord>[];
}

/** The `update` of an updater whose feed is one JSON document. */
export function catalogUpdate({ revision, maxBytes, records }: Catalog) {
  return async (feeds: FeedReader, previous?: Fingerprint): Promise<Update<EnrichmentRecord>> => {
    const parts = feedParts(feeds, revision, previous);
    const changed = await parts.finish([await parts.get()]);
    if (changed === undefined) return { kind: "unchanged" };
    const { file, skipped } = newestFile(changed.parts.flatMap(feedFiles), /\.json$/);
    const catalog = parseJson(await readFeedFile(file, maxBytes), file.location, "malformed_feed");
    const read = records(documentPlace(catalog, file.location, "malformed_feed"));
    return { kind: "snapshot", fingerprint: changed.fingerprint, items: inOrder([...skipped, ...read]) };
  };
}

async function* inOrder(records: readonly FeedItem<EnrichmentRecord>[]): AsyncGenerator<FeedItem<EnrichmentRecord>> {
  yield* records;
}
