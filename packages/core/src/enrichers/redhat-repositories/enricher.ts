import { contentSetName } from "../../ecosystems/rpm/content-set-cpes.ts";
import { type FeedFile, feedFiles, readFeedFile } from "../../feeds/shared/feed-files.ts";
import { recordItems } from "../../feeds/shared/malformed-feed.ts";
import { snapshotUpdater } from "../../feeds/shared/snapshot-updater.ts";
import { parseCpe } from "../../model/cpe/format.ts";
import { parseJson } from "../../model/json.ts";
import { documentPlace, itemsAt, type JsonPlace, memberAt, membersAt, stringAt } from "../../model/json-place.ts";
import type { Json } from "../../model/json-value.ts";
import { contentSetKey, dnfRepositoryKey, type PackageRepository } from "../../model/package.ts";
import type { Enricher, EnrichmentRecord } from "../../plugins/enricher.ts";
import type { FeedItem, FeedRecord } from "../../plugins/updater.ts";
import { newestFile } from "../shared/catalog-updater.ts";

const name = "redhat-repositories";

/** Keys of repositories that may be Red Hat's. */
const keys: ReadonlySet<string | undefined> = new Set([contentSetKey, dnfRepositoryKey]);

/**
 * Adds the Red Hat products to a repository, so that packages are matched by the products of their repositories. It adds nothing to
 * reports.
 * @see https://security.access.redhat.com/data/metrics/repository-to-cpe.json
 */
export const redhatRepositories: Enricher = {
  name,
  type: name,
  updater: snapshotUpdater({
    name,
    location: "https://security.access.redhat.com/data/metrics/repository-to-cpe.json",
    revision: 1,
    items(parts) {
      const { file, skipped } = newestFile(parts.flatMap(feedFiles), mappingName);
      return repositoryRecords(file, skipped);
    },
  }),
  tags: () => [],
  enrich: () => undefined,
  repositories: {
    tagOf: ({ name = "", key }) => (keys.has(key) ? contentSetName(name) : undefined),
    complete: (repository, records) => {
      const cpes = records.flatMap(cpesOf);
      return cpes.length === 0 ? [repository] : cpes.map((cpe): PackageRepository => ({ ...repository, cpe }));
    },
  },
};

const mappingName = /(?:^|\/)repository-to-cpe\.json$/;

function cpesOf({ record }: EnrichmentRecord): readonly string[] {
  return Array.isArray(record) ? (record as readonly Json[]).filter((cpe) => typeof cpe === "string") : [];
}

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
async function* repositoryRecords(
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
