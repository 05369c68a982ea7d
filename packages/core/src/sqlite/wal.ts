import { type ByteOrder, bigEndian, bytesAt, littleEndian } from "../bytes/byte-order.ts";
import { malformedPackageDb } from "../bytes/malformed-package-db.ts";
import { missingPage, type SqliteFile } from "./file.ts";

/**
 * The database with the committed transactions of its write-ahead log (`-wal`). Frames are valid while their salts and
 * running checksums are right, up to the last one that ends a transaction. The rest of the log is ignored.
 *
 * ```text
 * header  u32 magic 0x377f0682 or 0x377f0683, u32 format 3007000, u32 page size, u32 checkpoint, u32×2 salts, u32×2 checksum
 * frame   u32 page number, u32 pages in the database after commit or 0, u32×2 salts, u32×2 checksum, page
 * ```
 *
 * All numbers are big-endian. The lowest bit of the magic is the byte order of the words in the checksum.
 * @see https://www.sqlite.org/fileformat2.html#the_write_ahead_log
 * @throws ScanError `malformed_package_db` when the log's header is invalid. An empty log is not an error.
 */
export function overlayWal(file: SqliteFile, wal: Uint8Array): SqliteFile {
  if (wal.length === 0) return file;
  const { pageCount, offsets } = committedFrames(wal, file.pageSize);
  if (pageCount === undefined) return file;
  const page = (number: number): Uint8Array => {
    if (number < 1 || number > pageCount) throw missingPage(number, pageCount);
    const offset = offsets.get(number);
    return offset === undefined ? file.page(number) : bytesAt(wal, offset, file.pageSize);
  };
  return { ...file, pageCount, page };
}

const headerBytes = 32;
const frameHeaderBytes = 24;
const format = 3007000;

/** The offsets of the newest committed pages in the log, and the number of pages of the database after the last commit. */
interface CommittedFrames {
  readonly pageCount: number | undefined;
  readonly offsets: ReadonlyMap<number, number>;
}

/** The two running sums. */
type Checksum = readonly [number, number];

function committedFrames(wal: Uint8Array, pageSize: number): CommittedFrames {
  const order = checksumOrder(wal);
  let checksum = decodeHeader(wal, order, pageSize);
  const offsets = new Map<number, number>();
  let pending: [page: number, offset: number][] = [];
  let pageCount: number | undefined;
  for (let at = headerBytes; at + frameHeaderBytes + pageSize <= wal.length; at += frameHeaderBytes + pageSize) {
    checksum = sum(wal, { offset: at, length: 8 }, { order, start: checksum });
    checksum = sum(wal, { offset: at + frameHeaderBytes, length: pageSize }, { order, start: checksum });
    const number = bigEndian.u32(wal, at);
    if (number === 0 || !sameSalts(wal, at) || !isChecksum(wal, at + 16, checksum)) break;
    pending.push([number, at + frameHeaderBytes]);
    const pagesAfterCommit = bigEndian.u32(wal, at + 4);
    if (pagesAfterCommit === 0) continue;
    for (const [page, offset] of pending) offsets.set(page, offset);
    pending = [];
    pageCount = pagesAfterCommit;
  }
  return { pageCount, offsets };
}

function checksumOrder(wal: Uint8Array): ByteOrder {
  const magic = bigEndian.u32(wal, 0);
  if (magic === 0x377f0682) return littleEndian;
  if (magic === 0x377f0683) return bigEndian;
  throw malformedPackageDb(
    `expected 0x377f0682 or 0x377f0683 at the beginning of the log, found 0x${magic.toString(16)}`,
  );
}

function decodeHeader(wal: Uint8Array, order: ByteOrder, pageSize: number): Checksum {
  if (bigEndian.u32(wal, 4) !== format) {
    throw malformedPackageDb(`expected log format ${format}, found ${bigEndian.u32(wal, 4)}`);
  }
  if (bigEndian.u32(wal, 8) !== pageSize) {
    throw malformedPackageDb(`expected pages of ${pageSize} bytes in the log, found ${bigEndian.u32(wal, 8)}`);
  }
  const checksum = sum(wal, { offset: 0, length: 24 }, { order, start: [0, 0] });
  if (!isChecksum(wal, 24, checksum)) throw malformedPackageDb("the checksum of the log's header is wrong");
  return checksum;
}

/** Continues a checksum over `length` bytes, a multiple of eight. */
function sum(
  wal: Uint8Array,
  { offset, length }: { readonly offset: number; readonly length: number },
  { order, start }: { readonly order: ByteOrder; readonly start: Checksum },
): Checksum {
  let [first, second] = start;
  for (let at = offset; at < offset + length; at += 8) {
    first = (first + order.u32(wal, at) + second) >>> 0;
    second = (second + order.u32(wal, at + 4) + first) >>> 0;
  }
  return [first, second];
}

function isChecksum(wal: Uint8Array, offset: number, [first, second]: Checksum): boolean {
  return bigEndian.u32(wal, offset) === first && bigEndian.u32(wal, offset + 4) === second;
}

function sameSalts(wal: Uint8Array, frame: number): boolean {
  return (
    bigEndian.u32(wal, frame + 8) === bigEndian.u32(wal, 16) &&
    bigEndian.u32(wal, frame + 12) === bigEndian.u32(wal, 20)
  );
}
