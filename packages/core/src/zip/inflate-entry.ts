import { ScanError } from "../errors.ts";
import type { Inflater } from "../inflate/inflater.ts";

/** What an entry has to be, and how messages name it. */
export interface Expected {
  readonly sizeBytes: number;
  readonly at: string;
}

/** A content and its CRC-32. */
export interface Inflated {
  readonly bytes: Uint8Array;
  readonly crc: number;
}

/**
 * The content of a raw DEFLATE stream that must have `sizeBytes`; no more than that is ever written.
 * @throws ScanError `malformed_archive` that names `at`
 */
export function inflateEntry(inflater: Inflater, compressed: Uint8Array, { sizeBytes, at }: Expected): Inflated {
  const bytes = new Uint8Array(sizeBytes);
  let length = 0;
  let crc = 0;
  for (const output of inflateChunks(inflater, compressed, at)) {
    if (length + output.length > sizeBytes) throw malformed(at, `expected ${sizeBytes} bytes, found more`);
    bytes.set(output, length);
    length += output.length;
    crc = inflater.crc32(output, crc);
  }
  if (length < sizeBytes) throw malformed(at, `expected ${sizeBytes} bytes, found ${length}`);
  return { bytes, crc };
}

/**
 * The content of a raw DEFLATE stream, piece by piece; each is good until the next. What stands behind the stream does not count.
 * @throws ScanError `malformed_archive` that names `at`
 */
export function* inflateChunks(inflater: Inflater, compressed: Uint8Array, at: string): Iterable<Uint8Array> {
  inflater.reset();
  let added = inflater.add(compressed, 0);
  inflater.start();
  for (let hasEnded = false; ; ) {
    const output = nextOutput(inflater, at);
    if (output.length > 0) yield output;
    else if (inflater.isFinished) return;
    else if (added < compressed.length) added += inflater.add(compressed, added);
    else if (hasEnded) throw malformed(at, "the compressed bytes end too early");
    else {
      inflater.endInput();
      hasEnded = true;
    }
  }
}

function nextOutput(inflater: Inflater, at: string): Uint8Array {
  try {
    return inflater.inflate();
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
    throw malformed(at, error.message, error);
  }
}

function malformed(at: string, message: string, cause?: unknown): ScanError {
  return new ScanError("malformed_archive", `${at}: ${message}`, { cause });
}
