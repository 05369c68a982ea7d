/**
 * Finds the directory of a zip archive.
 *
 * ```
 * archive   = [program] {entry} directory [zip64 end, zip64 locator] end
 * end       = "PK\5\6" disk:2 disk:2 entries:2 entries:2 size:4 offset:4 comment-length:2 comment    at most 65,557 bytes
 * locator   = "PK\6\7" disk:4 zip64-end-offset:8 disks:4                       directly before the end
 * zip64 end = "PK\6\6" length:8 made-by:2 needs:2 disk:4 disk:4 entries:8 entries:8 size:8 offset:8
 * ```
 * Numbers are little-endian. A program may precede the entries, as in self-extracting archives. Offsets then count from the beginning of
 * the file, or from the first entry.
 *
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
import { type Archive, malformedArchive, type Reading, viewOf } from "./reading.ts";

/** The place of an archive's directory. */
export interface Directory {
  /** In the file. */
  readonly offset: number;
  readonly sizeBytes: number;
  /** The place in the file from which the offsets in the directory count. */
  readonly base: number;
}

/** The place of the directory as the end record states it. */
interface EndRecord {
  readonly offset: number;
  readonly sizeBytes: number;
  /** The offset of the end record in the file, where the directory ends. */
  readonly at: number;
}

const endBytes = 22;
const locatorBytes = 20;
const zip64EndBytes = 56;
const maxCommentBytes = 0xffff;
const entryMagic = 0x02014b50;

/** Finds the directory. @throws ScanError `malformed_archive` where the bytes are not a zip archive, are cut off or have no directory */
export function* findDirectory(archive: Archive): Reading<Directory> {
  const { offset, sizeBytes, at } = yield* readEnd(archive);
  if (sizeBytes === 0 || (yield* startsEntry(offset))) return { offset, sizeBytes, base: 0 };
  const directory = { offset: at - sizeBytes, sizeBytes, base: at - sizeBytes - offset };
  if (directory.base > 0 && (yield* startsEntry(directory.offset))) return directory;
  throw malformedArchive(archive, `no directory entry at ${offset}`);
}

function* startsEntry(offset: number): Reading<boolean> {
  const magic = yield { offset, length: 4 };
  return magic.length === 4 && viewOf(magic).getUint32(0, true) === entryMagic;
}

function* readEnd(archive: Archive): Reading<EndRecord> {
  const length = Math.min(archive.sizeBytes, endBytes + maxCommentBytes + locatorBytes);
  const offset = archive.sizeBytes - length;
  const tail = viewOf(yield { offset, length });
  const end = findEnd(tail);
  if (end === undefined)
    throw malformedArchive(archive, "no end record: the file is truncated, or is not a zip archive");
  const locator = end - locatorBytes;
  if (locator >= 0 && tail.getUint32(locator, true) === 0x07064b50) {
    return yield* readZip64End(archive, Number(tail.getBigUint64(locator + 8, true)), offset + locator);
  }
  return { sizeBytes: tail.getUint32(end + 12, true), offset: tail.getUint32(end + 16, true), at: offset + end };
}

/** The last end record whose comment ends with the file; without one, the last whose comment ends before that. */
function findEnd(tail: DataView): number | undefined {
  let before: number | undefined;
  for (let at = tail.byteLength - endBytes; at >= 0; at--) {
    if (tail.getUint32(at, true) !== 0x06054b50) continue;
    const end = at + endBytes + tail.getUint16(at + 20, true);
    if (end === tail.byteLength) return at;
    if (end < tail.byteLength) before ??= at;
  }
  return before;
}

/** The zip64 end record, at the offset in the locator, or directly before the locator. */
function* readZip64End(archive: Archive, stated: number, locator: number): Reading<EndRecord> {
  for (const at of [stated, locator - zip64EndBytes]) {
    if (at < 0 || at + zip64EndBytes > archive.sizeBytes) continue;
    const view = viewOf(yield { offset: at, length: zip64EndBytes });
    if (view.byteLength !== zip64EndBytes || view.getUint32(0, true) !== 0x06064b50) continue;
    return { sizeBytes: Number(view.getBigUint64(40, true)), offset: Number(view.getBigUint64(48, true)), at };
  }
  throw malformedArchive(archive, `no zip64 end record at ${stated}`);
}
