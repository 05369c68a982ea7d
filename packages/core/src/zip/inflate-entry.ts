import { ScanError } from "../errors.ts";
import type { Inflater } from "../inflate/inflater.ts";

/** The expected size of an entry, and its name for messages. */
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
 * Decompresses a raw DEFLATE stream whose content must have `sizeBytes`.
 * @throws ScanError `malformed_archive` with `at` in its message
 */
export function inflateEntry(inflater: Inflater, compressed: Uint8Array, { sizeBytes, at }: Expected): Inflated {
  const bytes = new Uint8Array(sizeBytes);
  let length = 0;
  let crc = 0;
  for (const output of inflateChunks(inflater, [compressed], at)) {
    if (length + output.length > sizeBytes) throw malformed(at, `expected ${sizeBytes} bytes, found more`);
    bytes.set(output, length);
    length += output.length;
    crc = inflater.crc32(output, crc);
  }
  if (length < sizeBytes) throw malformed(at, `expected ${sizeBytes} bytes, found ${length}`);
  return { bytes, crc };
}

/**
 * Decompresses a raw DEFLATE stream in pieces, each of which is valid until the next one. Bytes after the stream are ignored.
 * @param compressed the stream in parts, which are taken as they are needed
 * @throws ScanError `malformed_archive` with `at` in its message
 */
export function* inflateChunks(
  inflater: Inflater,
  compressed: Iterable<Uint8Array>,
  at: string,
): Generator<Uint8Array, void> {
  const parts = compressed[Symbol.iterator]();
  let part: Uint8Array = parts.next().value ?? new Uint8Array(0);
  inflater.reset();
  let added = inflater.add(part, 0);
  inflater.start();
  for (let hasEnded = false; ; ) {
    const output = nextOutput(inflater, at);
    if (output.length > 0) yield output;
    else if (inflater.isFinished) return;
    else if (added < part.length) added += inflater.add(part, added);
    else if (hasEnded) throw malformed(at, "the compressed bytes end too early");
    else {
      const next = parts.next();
      hasEnded = next.done === true;
      if (next.done === true) inflater.endInput();
      else [part, added] = [next.value, 0];
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
