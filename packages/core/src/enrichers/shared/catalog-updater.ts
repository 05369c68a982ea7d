import { ScanError } from "../../errors.ts";
import { type FeedFile, feedFiles, readFeedFile } from "../../feeds/shared/feed-files.ts";
import { failedRecord, leftOutRecord, malformedFeed } from "../../feeds/shared/malformed-feed.ts";
import { snapshotUpdater } from "../../feeds/shared/snapshot-updater.ts";
import { parseJson } from "../../model/json.ts";
import { documentPlace, type JsonPlace } from "../../model/json-place.ts";
import type { EnrichmentRecord } from "../../plugins/enricher.ts";
import type { FeedItem, FeedRecord, FeedScope, Updater } from "../../plugins/updater.ts";

/** A feed of facts that is one JSON document, or a folder of them. */
export interface Catalog {
  readonly name: string;
  readonly location: string;
  readonly scope: FeedScope;
  /** Increased when the same document would give other records. */
  readonly revision: number;
  /** The largest document that is read. */
  readonly maxBytes: number;
  /** Which documents of a folder are read: `newest`, by its name, where each is a whole catalog; `all`, where each may have a part of it. */
  readonly ofFolder: "newest" | "all";
  records(document: JsonPlace): readonly FeedItem<EnrichmentRecord>[];
}

/** Makes the updater of a feed of catalogs. Where documents have records with the same first tag, the one whose document is named last counts. */
export function catalogUpdater({ maxBytes, ofFolder, records, ...feed }: Catalog): Updater<EnrichmentRecord> {
  return snapshotUpdater({
    ...feed,
    async items(parts) {
      const files = parts.flatMap(feedFiles);
      const { file: newest, skipped } = newestFile(files, catalogName);
      const read = async (file: FeedFile) => {
        const catalog = parseJson(await readFeedFile(file, maxBytes), file.location, "malformed_feed");
        return records(documentPlace(catalog, file.location, "malformed_feed"));
      };
      if (ofFolder === "newest" || newest.name === "") return inOrder([...skipped, ...(await read(newest))]);
      return inFolder(files, read);
    },
  });
}

const catalogName = /\.json$/;

async function* inOrder(items: readonly CatalogItem[]): AsyncGenerator<CatalogItem> {
  yield* items;
}

type CatalogItem = FeedItem<EnrichmentRecord>;

/** The records of all documents of a folder, the last first. A document that cannot be read is a problem. */
async function* inFolder(
  files: readonly FeedFile[],
  read: (file: FeedFile) => Promise<readonly CatalogItem[]>,
): AsyncGenerator<CatalogItem> {
  const known = new Set<string>();
  for (const file of files.toReversed()) {
    if (!catalogName.test(file.name)) {
      yield leftOutRecord("not-an-advisory", file.location);
      continue;
    }
    let isReplaced = false;
    const own = new Set<string>();
    for (const item of await orProblem(file, read)) {
      if (item.kind === "item") {
        const [tag = ""] = item.item.tags;
        isReplaced = known.has(tag);
        own.add(tag);
        if (!isReplaced) yield item;
      } else {
        yield isReplaced && item.kind === "record" ? leftOutRecord("replaced", file.location) : item;
        isReplaced = false;
      }
    }
    for (const tag of own) known.add(tag);
  }
}

async function orProblem(
  file: FeedFile,
  read: (file: FeedFile) => Promise<readonly CatalogItem[]>,
): Promise<readonly CatalogItem[]> {
  try {
    return await read(file);
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
    return [{ kind: "problem", at: file.location, message: error.message }, failedRecord];
  }
}

/** The document of a feed, and what became of the others. */
export interface NewestFile {
  readonly file: FeedFile;
  readonly skipped: readonly FeedRecord[];
}

/**
 * The document of a feed: the feed itself, or in a folder the last file whose name matches, which is the newest if names have dates.
 * @throws ScanError `malformed_feed` for a folder without such a file
 */
export function newestFile(files: readonly FeedFile[], pattern: RegExp): NewestFile {
  const matches = ({ name }: FeedFile) => name === "" || pattern.test(name);
  const file = files.findLast(matches);
  if (file === undefined) throw malformedFeed("the folder of the feed", `expected a file like ${pattern}, found none`);
  const others = files.filter((other) => other !== file);
  const ruleOf = (other: FeedFile) => (matches(other) ? "replaced" : "not-an-advisory");
  return { file, skipped: others.map((other) => leftOutRecord(ruleOf(other), other.location)) };
}
