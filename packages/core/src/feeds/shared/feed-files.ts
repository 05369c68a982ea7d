import type { Bytes } from "../../bytes/bytes.ts";
import { concatBytes } from "../../bytes/concat-bytes.ts";
import { decompressedDocument } from "../../compression/decompressed-document.ts";
import type { FeedDocument, FeedFolder } from "../../plugins/feed.ts";
import type { ZipSource } from "../../zip/list-zip.ts";
import type { ReadablePart } from "./feed-parts.ts";
import { malformedFeed } from "./malformed-feed.ts";

/**
 * One document of a feed. Its reader need not know whether it is alone or in a folder, and whether it is compressed. An archive of documents is read as
 * it is stored.
 */
export interface FeedFile {
  /** The name in its folder or site, without a suffix for compression; empty for the configured location itself. */
  readonly name: string;
  /** The name with its suffix for compression. */
  readonly storedName: string;
  readonly location: string;
  /** The content, decompressed. @throws ScanError `malformed_feed` for damaged or truncated data */
  stream(): Bytes;
  /** The bytes as stored. */
  stored(): Bytes;
  openAt(): Promise<ZipSource>;
}

/** The documents of a part: the part itself, or the documents of a folder. */
export function feedFiles({ name = "", feed }: ReadablePart): readonly FeedFile[] {
  if (feed.kind === "folder") return feed.names.map((file) => folderFile(feed, file));
  return [documentFile(feed, name)];
}

/** The document of a part. */
export function documentFile(feed: FeedDocument, storedName = ""): FeedFile {
  return fileOf({ storedName, location: feed.location, stored: () => feed.stream(), openAt: async () => feed });
}

/** A document from its stored bytes. */
export function fileOf(file: Omit<FeedFile, "name" | "stream">): FeedFile {
  const name = file.storedName.replace(/\.(?:gz|bz2|xz|zst)$/i, "");
  const stream = () => decompressed(file.stored(), file.location);
  return { ...file, name, stream };
}

function folderFile(folder: FeedFolder, name: string): FeedFile {
  const location = `${folder.location}/${name}`;
  return fileOf({
    storedName: name,
    location,
    async *stored() {
      yield await folder.read(name);
    },
    async openAt() {
      const bytes = await folder.read(name);
      const readAt = async (offset: number, length: number) => bytes.subarray(offset, offset + length);
      return { location, sizeBytes: bytes.length, readAt };
    },
  });
}

/**
 * Reads the whole content of a document, decompressed. Without `maxBytes`, the feed reader limits its size.
 * @throws ScanError `malformed_feed` for a larger document
 */
export async function readFeedFile(file: FeedFile, maxBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of file.stream()) {
    sizeBytes += chunk.length;
    if (sizeBytes > maxBytes) throw malformedFeed(file.location, `expected at most ${maxBytes} bytes, found more`);
    chunks.push(chunk.slice());
  }
  return concatBytes(chunks);
}

/** The maximal decompressed size of one document; the largest in the feeds has a tenth of it. Archives have their own limit. */
const maxDocumentBytes = 8 * 1024 ** 3;

/**
 * The content of a document of a feed that may be compressed by gzip, bzip2, xz or Zstandard.
 * @throws ScanError `malformed_feed` with `location` in its message, for damaged or truncated data
 */
export function decompressed(
  source: Bytes,
  location: string,
  maxBytes = maxDocumentBytes,
): Bytes & AsyncGenerator<Uint8Array> {
  return decompressedDocument(source, { name: location, maxBytes, code: "malformed_feed" });
}
