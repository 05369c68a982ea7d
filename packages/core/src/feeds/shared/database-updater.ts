import type { Advisory } from "../../model/advisory.ts";
import type { FeedItem, FeedScope, Updater } from "../../plugins/updater.ts";
import { type DocumentReading, documentItems } from "./document-items.ts";
import { feedFiles } from "./feed-files.ts";
import { feedParts, type ReadablePart } from "./feed-parts.ts";
import { malformedFeed } from "./malformed-feed.ts";

/** A database of advisories that is published as one archive with a document for each. */
export interface AdvisoryDatabase {
  /** Of the feed. */
  readonly name: string;
  /** Of the archive. */
  readonly location: string;
  readonly scope: FeedScope;
  /** Raised when the same documents would give other advisories. */
  readonly revision: number;
  readonly wants: DocumentReading<Advisory>["wants"];
  /** Begins a run: what it returns reads the documents one by one and may remember those before. */
  reader(): DocumentReading<Advisory>["read"];
}

/**
 * Brings a database of advisories in: from its archive (zip or tar, compressed or not), a folder of its documents or one of them. One that
 * holds no document of an advisory is refused, so that what is stored does not go.
 */
export function databaseUpdater(database: AdvisoryDatabase): Updater {
  const { name, location, scope, revision } = database;
  return {
    name,
    location,
    scope,
    async update(feeds, previous) {
      const parts = feedParts(feeds, revision, previous);
      const changed = await parts.finish([await parts.get()]);
      if (changed === undefined) return { kind: "unchanged" };
      return { kind: "snapshot", fingerprint: changed.fingerprint, items: itemsOf(changed.parts, database) };
    },
  };
}

async function* itemsOf(
  parts: readonly ReadablePart[],
  { name, wants, reader }: AdvisoryDatabase,
): AsyncGenerator<FeedItem<Advisory>> {
  let documents = 0;
  const readOne = reader();
  const read: typeof readOne = (document) => {
    documents++;
    return readOne(document);
  };
  for (const file of parts.flatMap(feedFiles)) yield* documentItems(file, { wants, read });
  if (documents === 0) throw malformedFeed(name, "expected documents of advisories, found none");
}
