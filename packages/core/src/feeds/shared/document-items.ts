import { ScanError } from "../../errors.ts";
import type { FeedItem } from "../../plugins/updater.ts";
import { feedDocuments } from "./feed-documents.ts";
import type { FeedFile } from "./feed-files.ts";
import type { FeedText, WantsDocument } from "./feed-text.ts";

/** How the documents of a feed are read. */
export interface DocumentReading<Item> {
  readonly wants: WantsDocument;
  /** @throws ScanError `malformed_feed` for a document that is unusable as a whole */
  read(document: FeedText): readonly FeedItem<Item>[] | Promise<readonly FeedItem<Item>[]>;
}

/**
 * What the wanted documents of a file give, be it an archive of them or one alone. An entry of an archive that is unusable as a whole is a
 * problem of its own; another document is one of the feed.
 * @throws ScanError `malformed_feed`
 */
export async function* documentItems<Item>(
  file: FeedFile,
  { wants, read }: DocumentReading<Item>,
): AsyncGenerator<FeedItem<Item>> {
  for await (const document of feedDocuments(file, wants)) {
    if ("error" in document) yield problem(document.location, document.error);
    else if (document.isEntry) yield* await entryItems(document, read);
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
    return [problem(document.location, error)];
  }
}

function problem(at: string, { message }: ScanError) {
  return { kind: "problem", at, message } as const;
}
