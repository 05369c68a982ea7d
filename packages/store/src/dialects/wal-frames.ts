/**
 * Reads the frames of an SQLite write-ahead log.
 *
 * log: header (32 bytes: magic, version, page size, sequence, two salts, two checksums), frame…
 * frame: header (24 bytes: page, size of the database, two salts, two checksums), page
 * @see https://sqlite.org/fileformat2.html#the_write_ahead_log
 */
import type { FileHandle } from "node:fs/promises";

/** Writes a log to disk. */
export interface LogDisk {
  /** Writes all of `bytes`. */
  write(file: FileHandle, bytes: Uint8Array, position: number): Promise<void>;
  sync(file: FileHandle): Promise<void>;
}

/** The disk of the machine. */
export const realDisk: LogDisk = {
  async write(file, bytes, position) {
    const { bytesWritten } = await file.write(bytes, 0, bytes.length, position);
    if (bytesWritten < bytes.length) throw new Error(`the log took ${bytesWritten} bytes of ${bytes.length}`);
  },
  sync: (file) => file.datasync(),
};

const headerBytes = 32;
const frameHeaderBytes = 24;
const magic = 0x377f0682;

/** How much is read and written at a time. */
const pieceBytes = 1024 ** 2;

/** The running checksum of a log, in two halves. Readers stop at the first frame with a wrong one. */
type Checksum = readonly [number, number];

/**
 * Rewrites the first frames of a log in place with their own content, so that the system considers them changed and writes them again.
 * @param frames the number of frames, which the log must have
 * @throws LogDamaged if the content of a frame does not match its checksum
 */
export async function rewriteFrames(log: FileHandle, frames: number, disk: LogDisk): Promise<void> {
  if (frames === 0) return;
  const header = await readAt(log, 0, headerBytes);
  const isLittleEndian = header.readUInt32BE(0) === magic;
  const frameBytes = frameHeaderBytes + header.readUInt32BE(8);
  let sum = checksumOf(header.subarray(0, 24), [0, 0], { isLittleEndian });
  expectSum(header, 24, sum);
  await disk.write(log, header, 0);
  const atOnce = Math.max(1, Math.floor(pieceBytes / frameBytes));
  for (let first = 0; first < frames; first += atOnce) {
    const count = Math.min(atOnce, frames - first);
    const piece = await readAt(log, headerBytes + first * frameBytes, count * frameBytes);
    for (let at = 0; at < piece.length; at += frameBytes) {
      sum = checksumOf(piece.subarray(at, at + 8), sum, { isLittleEndian });
      sum = checksumOf(piece.subarray(at + frameHeaderBytes, at + frameBytes), sum, { isLittleEndian });
      expectSum(piece, at + 16, sum);
    }
    await disk.write(log, piece, headerBytes + first * frameBytes);
  }
}

function checksumOf(
  bytes: Buffer,
  [first, second]: Checksum,
  { isLittleEndian }: { readonly isLittleEndian: boolean },
): Checksum {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let [a, b] = [first, second];
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + words.getUint32(at, isLittleEndian) + b) >>> 0;
    b = (b + words.getUint32(at + 4, isLittleEndian) + a) >>> 0;
  }
  return [a, b];
}

function expectSum(bytes: Buffer, at: number, [first, second]: Checksum): void {
  if (bytes.readUInt32BE(at) !== first || bytes.readUInt32BE(at + 4) !== second) throw new LogDamaged();
}

/** The log does not have the content that was written to it. */
export class LogDamaged extends Error {
  override readonly name = "LogDamaged";
  constructor() {
    super(
      "the disk has lost changes that were not acknowledged: end every process that uses the database and start again",
    );
  }
}

async function readAt(log: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await log.read(Buffer.alloc(length), 0, length, position);
  if (bytesRead < length) throw new LogDamaged();
  return buffer;
}
