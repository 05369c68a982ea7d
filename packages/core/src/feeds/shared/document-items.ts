import { ScanError } from "../../errors.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import { feedDocuments } from "./feed-documents.ts";
import type { FeedFile } from "./feed-files.ts";
import type { FeedText, WantsDocument } from "./feed-text.ts";
import { failedItems, leftOutRecord } from "./malformed-feed.ts";

/** The selection and reader of a feed's documents. */
export interface DocumentReading<Item> {
  readonly wants: WantsDocument;
  /** Whether a document of a folder is a single record, like an entry of an archive. Absent: it has many. */
  readonly isRecord?: (name: string) => boolean;
  /** @throws ScanError `malformed_feed` for a document that is unusable as a whole */
  read(document: FeedText): readonly FeedItem<Item>[] | Promise<readonly FeedItem<Item>[]>;
}

/**
 * The items of the wanted documents of a file, which is an archive or one document, and what became of each document and record. A malformed entry of an archive or record of a
 * folder gives a problem; a malformed document of many records is an error of the feed.
 * @throws ScanError `malformed_feed`
 */
export async function* documentItems<Item>(
  file: FeedFile,
  { wants, isRecord, read }: DocumentReading<Item>,
): AsyncGenerator<FeedItem<Item>> {
  const isRecordFile = file.name !== "" && isRecord?.(file.name) === true;
  for await (const document of feedDocuments(file, wants)) {
    if ("skipped" in document) yield leftOutRecord(document.skipped, document.location);
    else if ("error" in document && document.error.code === "not_found" && !isRecordFile) throw document.error;
    else if ("error" in document) yield* failedItems(document.location, document.error.message);
    else if (document.isEntry || isRecordFile) yield* await entryItems(document, read);
    else yield* await read(document);
  }
}

async function entryItems<Item>(
  document: FeedText,
  read: DocumentReading<Item>["read"],
): Promise<readonly FeedItem<Item>[]> {
  try {
    return await read(document);
  } catch (error) {
    if (!(error instanceof ScanError) || error.code !== "malformed_feed") throw error;
    return failedItems(document.location, error.message);
  }
}
