import type { FileHandle } from "node:fs/promises";

/** How many bytes are gathered before they are written. */
const batchBytes = 1024 * 1024;

/**
 * Writes a stream to the end of a file, in large steps: the next step is gathered while one is written.
 * @param onWritten called with each chunk when it is written
 */
export async function writeChunks(
  file: FileHandle,
  source: AsyncIterable<Uint8Array>,
  onWritten: (chunk: Uint8Array) => void = () => {},
): Promise<void> {
  let writing: Promise<unknown> = Promise.resolve();
  let batch: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of source) {
      batch.push(chunk);
      bytes += chunk.length;
      if (bytes < batchBytes) continue;
      await writing;
      writing = writeAll(file, batch, onWritten);
      writing.catch(() => {}); // it is awaited before the next write and in the end
      [batch, bytes] = [[], 0];
    }
  } finally {
    await writing;
  }
  if (bytes > 0) await writeAll(file, batch, onWritten);
}

/** A single call may write less than it is given. */
async function writeAll(
  file: FileHandle,
  chunks: readonly Uint8Array[],
  onWritten: (chunk: Uint8Array) => void,
): Promise<void> {
  let rest: readonly Uint8Array[] = chunks.filter(({ length }) => length > 0);
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest);
    rest = withoutFirst(rest, bytesWritten);
  }
  chunks.forEach(onWritten);
}

function withoutFirst(chunks: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  let skip = bytes;
  return chunks.flatMap((chunk) => {
    const skipped = Math.min(skip, chunk.length);
    skip -= skipped;
    return skipped === chunk.length ? [] : [chunk.subarray(skipped)];
  });
}
