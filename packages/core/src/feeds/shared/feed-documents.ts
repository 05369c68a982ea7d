import { peekBytes } from "../../bytes/peek-bytes.ts";
import { ScanError } from "../../errors.ts";
import { listZip, type ZipSource } from "../../zip/list-zip.ts";
import type { ZipEntry } from "../../zip/read-directory.ts";
import { openZip } from "../../zip/read-zip.ts";
import { type FeedFile, readFeedFile } from "./feed-files.ts";
import { type FeedText, type SkippedText, skipRuleOf, type UnreadableText, type WantsDocument } from "./feed-text.ts";
import { malformedFeed } from "./malformed-feed.ts";
import { tarDocuments } from "./tar-documents.ts";

/** A document of a feed: with its content, unreadable, or skipped. */
export type ListedText = FeedText | SkippedText | UnreadableText;

/**
 * The documents of a file, those that are not wanted without their content: the entries of a zip or tar archive, compressed or not, or the file itself. The form of the configured
 * location is found from its content, that of other files from the name. Memory is limited by the directory of a zip archive and the largest
 * document.
 * @throws ScanError `malformed_feed` for a damaged archive
 */
export async function* feedDocuments(file: FeedFile, wants: WantsDocument): AsyncGenerator<ListedText> {
  switch (await kindOf(file)) {
    case "zip":
      return yield* zipDocuments(await file.openAt(), wants);
    case "tar":
      return yield* tarDocuments(file.stored(), file.location, wants);
    case "document": {
      const skipped = file.name === "" ? undefined : skipRuleOf(wants, file.name);
      yield skipped === undefined ? await wholeDocument(file) : { location: file.location, skipped };
    }
  }
}

const archiveNames = { zip: /\.zip$/i, tar: /\.t(?:ar|gz|xz|zst|bz2)$/i } as const;

async function kindOf(file: FeedFile): Promise<"document" | "tar" | "zip"> {
  if (archiveNames.zip.test(file.name)) return "zip";
  if (archiveNames.tar.test(file.name)) return "tar";
  if (file.name !== "") return "document";
  const [first, second] = await (await file.openAt()).readAt(0, 2);
  if (first === 0x50 && second === 0x4b) return "zip";
  const { head, bytes } = await peekBytes(file.stream(), 262);
  const isTar = new TextDecoder("latin1").decode(head.subarray(257, 262)) === "ustar";
  await bytes[Symbol.asyncIterator]().return?.();
  return isTar ? "tar" : "document";
}

/** A document of its own. One of a folder may be a link that leads out of it. */
async function wholeDocument(file: FeedFile): Promise<FeedText | UnreadableText> {
  const { location, name } = file;
  try {
    return { name: name || location, location, bytes: await readFeedFile(file, maxBytes), isEntry: false };
  } catch (error) {
    if (name === "" || !(error instanceof ScanError) || error.code !== "not_found") throw error;
    return { name, location, error };
  }
}

/** The maximal size of one document. */
const maxBytes = 256 * 1024 ** 2;

/** Reads entries one by one, in the order in which they are stored. */
async function* zipDocuments(source: ZipSource, wants: WantsDocument): AsyncGenerator<ListedText> {
  const entries = await listEntries(source);
  const read = openZip(source);
  for (const entry of entries) {
    const location = `${source.location}: ${entry.name}`;
    const skipped = skipRuleOf(wants, entry.name);
    if (skipped !== undefined) {
      yield { location, skipped };
      continue;
    }
    try {
      yield { name: entry.name, location, bytes: await read(entry), isEntry: true };
    } catch (error) {
      if (!isMalformed(error)) throw error;
      yield { name: entry.name, location, error };
    }
  }
}

async function listEntries(source: ZipSource): Promise<readonly ZipEntry[]> {
  try {
    const entries = await listZip(source);
    return entries.filter(({ name }) => !name.endsWith("/")).sort((a, b) => a.offset - b.offset);
  } catch (error) {
    throw isMalformed(error) ? malformedFeed(source.location, error.message, error) : error;
  }
}

function isMalformed(error: unknown): error is ScanError {
  return error instanceof ScanError && error.code === "malformed_archive";
}
