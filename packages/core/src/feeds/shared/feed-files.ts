import type { Bytes } from "../../bytes/bytes.ts";
import { concatBytes } from "../../bytes/concat-bytes.ts";
import type { FeedFolder } from "../../plugins/feed.ts";
import type { ZipSource } from "../../zip/list-zip.ts";
import type { ReadablePart } from "./feed-parts.ts";
import { malformedFeed } from "./malformed-feed.ts";

/** One document of a feed, whether it came alone or in a folder. */
export interface FeedFile {
  /** In its folder or site; empty for the configured location itself. */
  readonly name: string;
  readonly location: string;
  stream(): Bytes;
  openAt(): Promise<ZipSource>;
}

/** The documents of a part: itself, or those of the folder. */
export function feedFiles({ name = "", feed }: ReadablePart): readonly FeedFile[] {
  if (feed.kind === "folder") return feed.names.map((file) => folderFile(feed, file));
  return [{ name, location: feed.location, stream: () => feed.stream(), openAt: async () => feed }];
}

function folderFile(folder: FeedFolder, name: string): FeedFile {
  const location = `${folder.location}/${name}`;
  return {
    name,
    location,
    async *stream() {
      yield await folder.read(name);
    },
    async openAt() {
      const bytes = await folder.read(name);
      const readAt = async (offset: number, length: number) => bytes.subarray(offset, offset + length);
      return { location, sizeBytes: bytes.length, readAt };
    },
  };
}

/** Whether a document's name is that of XML, plain or compressed. */
export function isXmlName(name: string): boolean {
  return /\.xml(?:\.(?:gz|bz2|xz|zst))?$/.test(name);
}

/**
 * The whole content of a document. Without `maxBytes` its size is the feed reader's to limit.
 * @throws ScanError `malformed_feed` for a larger one
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
