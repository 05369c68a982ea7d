import { feedFiles, readFeedFile } from "../../feeds/shared/feed-files.ts";
import { feedParts } from "../../feeds/shared/feed-parts.ts";
import { parseJson } from "../../model/json.ts";
import { documentPlace } from "../../model/json-place.ts";
import type { Enricher, EnrichmentRecord, FeedItem, FeedReader, Fingerprint, Update, Updater } from "../../plugins.ts";
import { kevType } from "../enrichment-types.ts";
import { cveTags } from "../shared/cve-tags.ts";
import { onlyFile } from "../shared/only-file.ts";
import { kevRecords } from "./catalog.ts";

/** Raised when the same catalog would give other records. */
const revision = 1;

/** Bytes of the catalog; it has one and a half million. */
const maxBytes = 64 * 1024 ** 2;

const kevUpdater: Updater<EnrichmentRecord> = {
  name: "kev",
  location: "https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json",
  scope: { partBytes: {}, sharedBytes: 1.5e6 },
  update,
};

/** Says which vulnerabilities are known to be exploited: the catalog of CISA. */
export const kevEnricher: Enricher = {
  name: "kev",
  type: kevType,
  updater: kevUpdater,
  tags: cveTags,
  enrich: (_, records) => records.map(({ record }) => record),
};

async function update(feeds: FeedReader, previous?: Fingerprint): Promise<Update<EnrichmentRecord>> {
  const parts = feedParts(feeds, revision, previous);
  const changed = await parts.finish([await parts.get()]);
  if (changed === undefined) return { kind: "unchanged" };
  const file = onlyFile(changed.parts.flatMap(feedFiles), /\.json$/);
  const catalog = parseJson(await readFeedFile(file, maxBytes), file.location, "malformed_feed");
  const records = kevRecords(documentPlace(catalog, file.location, "malformed_feed"));
  return { kind: "snapshot", fingerprint: changed.fingerprint, items: inOrder(records) };
}

async function* inOrder(records: readonly FeedItem<EnrichmentRecord>[]): AsyncGenerator<FeedItem<EnrichmentRecord>> {
  yield* records;
}
