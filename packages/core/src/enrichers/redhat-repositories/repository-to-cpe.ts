import type { FeedFile } from "../../feeds/shared/feed-files.ts";
import { readFeedFile } from "../../feeds/shared/feed-files.ts";
import { recordItems } from "../../feeds/shared/malformed-feed.ts";
import { parseCpe } from "../../model/cpe/format.ts";
import { parseJson } from "../../model/json.ts";
import { documentPlace, itemsAt, type JsonPlace, memberAt, membersAt, stringAt } from "../../model/json-place.ts";
import type { EnrichmentRecord } from "../../plugins/enricher.ts";
import type { FeedItem, FeedRecord } from "../../plugins/updater.ts";

/** The largest document that is read, in bytes; that of 2025 has a tenth of it. */
const maxBytes = 64 * 1024 ** 2;

/**
 * Reads the CPE names of the products in each repository, under the repository's name. A malformed entry becomes a problem.
 *
 * ```
 * { data: { REPOSITORY: { cpes: [name], … } } }
 * ```
 * @throws ScanError `malformed_feed` for another document
 */
export async function* repositoryRecords(
  file: FeedFile,
  skipped: readonly FeedRecord[],
): AsyncGenerator<FeedItem<EnrichmentRecord>> {
  yield* skipped;
  const { location } = file;
  const json = parseJson(await readFeedFile(file, maxBytes), location, "malformed_feed");
  const data = memberAt(documentPlace(json, location, "malformed_feed"), "data");
  for (const [name, place] of membersAt(data)) {
    yield* recordItems(`${location}: ${name}`, () => [recordOf(name, place)]);
  }
}

function recordOf(name: string, place: JsonPlace): EnrichmentRecord {
  const cpes = itemsAt(memberAt(place, "cpes")).map((each) => parseCpe(stringAt(each)));
  return { tags: [name], record: [...new Set(cpes)] };
}
