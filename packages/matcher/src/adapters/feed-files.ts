import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { FeedDocument } from "@plimsoll/core/internal";

/** A file with a document of a feed. */
export interface FeedFileOptions {
  readonly path: string;
  /** The location for messages. */
  readonly location: string;
  readonly validator: string;
  readonly sizeBytes: number;
}

/** The chunk size of streams. */
const chunkBytes = 256 * 1024;

/** A document in a file. Its handle is opened on first use and closed with `resources`. */
export function fileDocument(options: FeedFileOptions, resources: AsyncDisposableStack): FeedDocument {
  let handle: Promise<FileHandle> | undefined;
  return {
    kind: "document",
    location: options.location,
    validator: options.validator,
    sizeBytes: options.sizeBytes,
    stream: () => createReadStream(options.path, { highWaterMark: chunkBytes }),
    async readAt(offset, length) {
      handle ??= open(options.path).then((opened) => resources.use(opened));
      const bytes = new Uint8Array(Math.max(0, Math.min(length, options.sizeBytes - offset)));
      const { bytesRead } = await (await handle).read(bytes, 0, bytes.length, offset);
      return bytes.subarray(0, bytesRead);
    },
  };
}
