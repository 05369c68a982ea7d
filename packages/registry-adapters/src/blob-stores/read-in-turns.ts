import { constants, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { ByteRange, ReadOptions } from "@plimsoll/registry/ports/blob-store";

/** How much is read first: an HTTP/2 client whose window is 0 never takes more. */
const firstBytes = 16 * 1024;

/** How much is read at a time next, unless many others are read so. */
const smallBytes = 64 * 1024;

/** How much is read at a time later, in each of two buffers. */
const largeBytes = 512 * 1024;

/** A caller that has taken this much reads on: it is more than a system holds for a client that reads nothing. */
const provenBytes = 8 * 1024 * 1024;

/** A limited number of rights. */
class Rights {
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** Takes a right. The caller gives it back. @returns whether one was free */
  take(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  /** Gives a right back. */
  giveBack(): void {
    this.#free += 1;
  }
}

/** Limits how many files are read in which buffers at the same time. Others are read in the first ones. */
export class ReadBuffers {
  /** 512 small buffers: 32 MB in all. */
  readonly small = new Rights(512);
  /** 32 pairs of large ones: 32 MB in all. */
  readonly large = new Rights(32);
}

/** A part of a file to read. */
export interface FilePart extends Pick<ReadOptions, "onVersion"> {
  readonly path: string;
  /** The whole file where absent. */
  readonly range?: ByteRange | undefined;
}

/** A text that changes when the content of a file does: a write changes its times, a file in its place is another inode. */
export function versionOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

/** Opens a file for reading. A named pipe in its place is empty, and does not keep a thread waiting for a writer. */
export function openFile(path: string): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
}

/**
 * The bytes of a file in chunks that share memory, so the caller must be done with a chunk when it requests the next one. The first chunks
 * are small and are read when they are requested, because the caller may be sending them to a client that never reads them. Later ones
 * are large, and one is read while the caller uses the other. Reading allocates nothing, and the bytes stay in the processor's cache.
 * @throws system errors
 */
export async function* readInTurns(
  { path, range, onVersion }: FilePart,
  { small, large }: ReadBuffers,
): AsyncIterable<Uint8Array> {
  await using file = await openFile(path);
  const stats = range === undefined || onVersion !== undefined ? await file.stat() : undefined;
  if (stats !== undefined) onVersion?.(versionOf(stats));
  const end = range === undefined ? (stats?.size ?? 0) : range.last + 1;
  let at = range?.first ?? 0;
  const provenAt = at + provenBytes;
  let buffer = Buffer.allocUnsafeSlow(Math.min(firstBytes, end - at));
  let isSmall = false;
  try {
    while (at < provenAt || !large.take()) {
      const bytes = await fill(file, buffer, { at, end });
      if (bytes === 0) return;
      at += bytes;
      yield buffer.subarray(0, bytes);
      if (isSmall || !small.take()) continue;
      isSmall = true;
      buffer = Buffer.allocUnsafeSlow(Math.min(smallBytes, end - at));
    }
  } finally {
    if (isSmall) small.giveBack();
  }
  try {
    yield* readAhead(file, { at, end });
  } finally {
    large.giveBack();
  }
}

interface Place {
  readonly at: number;
  readonly end: number;
}

async function* readAhead(file: FileHandle, { at: from, end }: Place): AsyncIterable<Uint8Array> {
  let at = from;
  let buffers = twoBuffers(Math.min(largeBytes, end - at));
  let filling = fill(file, buffers[0], { at, end });
  while (at < end) {
    const bytes = await filling;
    if (bytes === 0) return;
    const [filled, free] = buffers;
    at += bytes;
    buffers = [free, filled];
    filling = fill(file, free, { at, end });
    filling.catch(() => {}); // it is awaited before the next chunk, if that is requested
    yield filled.subarray(0, bytes);
  }
}

function twoBuffers(bytes: number): readonly [Uint8Array, Uint8Array] {
  return [Buffer.allocUnsafeSlow(bytes), Buffer.allocUnsafeSlow(bytes)];
}

async function fill(file: FileHandle, buffer: Uint8Array, { at, end }: Place): Promise<number> {
  if (at >= end) return 0;
  return (await file.read(buffer, 0, Math.min(buffer.length, end - at), at)).bytesRead;
}
