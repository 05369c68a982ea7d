import type { Advisory } from "../../model/advisory.ts";
import type { FeedItem, FeedScope, Updater } from "../../plugins/updater.ts";
import { type DocumentReading, documentItems } from "./document-items.ts";
import { feedFiles } from "./feed-files.ts";
import type { ReadablePart } from "./feed-parts.ts";
import { recognized } from "./recognized.ts";
import { snapshotUpdater } from "./snapshot-updater.ts";

/** A database of advisories that is published as one archive with a document for each advisory. */
export interface AdvisoryDatabase {
  /** The name of the feed. */
  readonly name: string;
  /** The address of the archive. */
  readonly location: string;
  readonly scope: FeedScope;
  /** Increased when a change alters the advisories of the same documents. */
  readonly revision: number;
  readonly wants: DocumentReading<Advisory>["wants"];
  /** Starts a run: returns a reader of its documents, which may keep state between them. */
  reader(): DocumentReading<Advisory>["read"];
}

/**
 * Makes the updater of a database: from its archive (zip or tar, compressed or not), a folder of its documents or one document. A source
 * without any wanted document is an error, so that the stored advisories are not deleted.
 */
export function databaseUpdater(database: AdvisoryDatabase): Updater {
  const { name, location, scope, revision } = database;
  return snapshotUpdater({ name, location, scope, revision, items: (parts) => itemsOf(parts, database) });
}

async function* itemsOf(
  parts: readonly ReadablePart[],
  { name, wants, reader }: AdvisoryDatabase,
): AsyncGenerator<FeedItem<Advisory>> {
  const reading = { wants, isRecord: () => true, read: reader() };
  yield* recognized(documentsOf(parts, reading), { feed: name, expected: "documents of advisories" });
}

async function* documentsOf(
  parts: readonly ReadablePart[],
  reading: DocumentReading<Advisory>,
): AsyncGenerator<FeedItem<Advisory>> {
  for (const file of parts.flatMap(feedFiles)) yield* documentItems(file, reading);
}

/** The name of a document without its folders and extension: `CVE-2014-2322` of `gems/x/CVE-2014-2322.yml`. */
export function fileStem(name: string): string {
  const file = name.slice(name.lastIndexOf("/") + 1);
  const dot = file.lastIndexOf(".");
  return dot > 0 ? file.slice(0, dot) : file;
}
