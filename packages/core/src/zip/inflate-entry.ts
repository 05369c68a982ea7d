import { ScanError } from "../errors.ts";
import type { Inflater } from "../inflate/inflater.ts";

/**
 * The content of a raw DEFLATE stream that must have `sizeBytes`; no more than that is ever written.
 * @throws ScanError `malformed_archive` that names `at`
 */
export function inflateEntry(inflater: Inflater, compressed: Uint8Array, sizeBytes: number, at: string): Uint8Array {
  const content = new Uint8Array(sizeBytes);
  let length = 0;
  for (const output of inflateChunks(inflater, compressed, at)) {
    if (length + output.length > sizeBytes) throw malformed(at, `expected ${sizeBytes} bytes, found more`);
    content.set(output, length);
    length += output.length;
  }
  if (length < sizeBytes) throw malformed(at, `expected ${sizeBytes} bytes, found ${length}`);
  return content;
}

function* inflateChunks(inflater: Inflater, compressed: Uint8Array, at: string): Iterable<Uint8Array> {
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
