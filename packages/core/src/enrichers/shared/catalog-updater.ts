import { feedFiles, readFeedFile } from "../../feeds/shared/feed-files.ts";
import { snapshotUpdater } from "../../feeds/shared/snapshot-updater.ts";
import { parseJson } from "../../model/json.ts";
import { documentPlace, type JsonPlace } from "../../model/json-place.ts";
import type { EnrichmentRecord } from "../../plugins/enricher.ts";
import type { FeedItem, FeedScope, Updater } from "../../plugins/updater.ts";
import { newestFile } from "./newest-file.ts";

/** A feed of facts that is one JSON document. */
export interface Catalog {
  readonly name: string;
  readonly location: string;
  readonly scope: FeedScope;
  /** Increased when the same document would give other records. */
  readonly revision: number;
  /** The largest document that is read. */
  readonly maxBytes: number;
  records(document: JsonPlace): readonly FeedItem<EnrichmentRecord>[];
}

/** Makes the updater of a feed that is one JSON document. */
export function catalogUpdater({ maxBytes, records, ...feed }: Catalog): Updater<EnrichmentRecord> {
  return snapshotUpdater({
    ...feed,
    async items(parts) {
      const { file, skipped } = newestFile(parts.flatMap(feedFiles), /\.json$/);
      const catalog = parseJson(await readFeedFile(file, maxBytes), file.location, "malformed_feed");
      return inOrder([...skipped, ...records(documentPlace(catalog, file.location, "malformed_feed"))]);
    },
  });
}

async function* inOrder(records: readonly FeedItem<EnrichmentRecord>[]): AsyncGenerator<FeedItem<EnrichmentRecord>> {
  yield* records;
}
