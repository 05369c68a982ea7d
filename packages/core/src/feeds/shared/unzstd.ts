import { Decompress } from "fzstd";
import type { Bytes } from "../../bytes/bytes.ts";
import { peekBytes } from "../../bytes/peek-bytes.ts";
import { malformedFeed } from "./malformed-feed.ts";

/** The number of bytes decoded at once. */
const sliceBytes = 64 * 1024;

/** The size of the largest window, that of `zstd --ultra -22`. */
const maxWindowBytes = 128 * 1024 ** 2;

/** The size of a frame header: magic number, descriptor, window, dictionary and content size. */
const maxHeaderBytes = 18;

/**
 * Decompresses Zstandard. The decoder does not compare checksums.
 * @throws ScanError `malformed_feed` with `location` in its message, for damaged or truncated data
 */
export async function* unzstd(source: Bytes, location: string): Bytes & AsyncGenerator<Uint8Array> {
  const pieces: Uint8Array[] = [];
  const decoder = new Decompress((piece) => pieces.push(piece));
  const push = (bytes: Uint8Array, { isLast }: { readonly isLast: boolean }): readonly Uint8Array[] => {
    try {
      decoder.push(bytes, isLast);
    } catch (error) {
      throw malformedFeed(location, `zstd: ${error instanceof Error ? error.message : String(error)}`, error);
    }
    return pieces.splice(0);
  };
  const { head, bytes } = await peekBytes(source, maxHeaderBytes);
  const windowBytes = windowOf(head);
  if (windowBytes > maxWindowBytes) {
    throw malformedFeed(location, `zstd: a window of ${windowBytes} bytes, expected at most ${maxWindowBytes}`);
  }
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += sliceBytes)
      yield* push(chunk.slice(at, at + sliceBytes), { isLast: false });
  }
  yield* push(new Uint8Array(0), { isLast: true });
}

/**
 * The window size of the first frame. For a frame with a single segment, it is the size of the content.
 * @see https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1.1
 */
function windowOf(head: Uint8Array): number {
  const [descriptor = 0, window = 0] = head.subarray(4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  if (!isSingleSegment) return 2 ** (10 + (window >> 3)) * (1 + (window & 7) / 8);
  const start = 5 + ([0, 1, 2, 4][descriptor & 3] ?? 0);
  const size = head.subarray(start, start + (1 << (descriptor >> 6)));
  return size.reduceRight((value, byte) => value * 256 + byte, 0);
}
