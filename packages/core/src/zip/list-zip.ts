/**
 * The list of a zip archive's entries.
 *
 * ```
 * archive   = {entry} directory [zip64 end, zip64 locator] end
 * end       = "PK\5\6" disk:2 disk:2 entries:2 entries:2 size:4 offset:4 comment-length:2 comment    at most 65,557 bytes
 * locator   = "PK\6\7" disk:4 zip64-end-offset:8 disks:4                       directly before the end
 * zip64 end = "PK\6\6" length:8 made-by:2 needs:2 disk:4 disk:4 entries:8 entries:8 size:8 offset:8
 * directory = { "PK\1\2" … flags:2 method:2 … crc:4 compressed:4 size:4 name:2 extra:2 comment:2 … offset:4 name … }
 * ```
 * Numbers are little-endian; 0xffffffff means: in the zip64 extra field (id 1), in the order size, compressed, offset.
 *
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
import { ScanError } from "../errors.ts";

/** Where an archive is read from: a file, an answer to range requests, a buffer. */
export interface ZipSource {
  /** For messages. */
  readonly location: string;
  readonly sizeBytes: number;
  /** Fewer bytes only at the end. */
  readAt(offset: number, length: number): Promise<Uint8Array>;
}

/** One file of an archive. */
export interface ZipEntry {
  readonly name: string;
  /** 0 stored, 8 deflated. */
  readonly method: number;
  readonly encrypted: boolean;
  readonly crc32: number;
  readonly compressedBytes: number;
  readonly sizeBytes: number;
  /** Where its local header begins. */
  readonly offset: number;
}

const endBytes = 22;
const locatorBytes = 20;
const zip64EndBytes = 56;
const headerBytes = 46;
const localHeaderBytes = 30;
const maxCommentBytes = 0xffff;
const inZip64 = 0xffffffff;

/** OSV's largest archive has 40 MB of them. */
const maxDirectoryBytes = 128 * 1024 ** 2;
const maxEntries = 1_000_000;

/** Contents together may have so many times the bytes of the archive, once they are larger than `ratioFromBytes`. */
const maxRatio = 250;
const ratioFromBytes = 256 * 1024 ** 2;

/**
 * Lists an archive's entries in the order of its directory. No two of them share bytes of the archive, and their contents
 * together are no more than the archive can be expected to hold: reading all of them is no more work than its size allows.
 * @throws ScanError `malformed_archive` where the archive is none, is cut off or has no readable directory
 */
export async function listZip(source: ZipSource): Promise<readonly ZipEntry[]> {
  const directory = await findDirectory(source);
  if (directory.offset + directory.size > source.sizeBytes) throw malformed(source, "a directory beyond its end");
  if (directory.size > maxDirectoryBytes) throw malformed(source, `a directory of ${directory.size} bytes`);
  const view = viewOf(await source.readAt(directory.offset, directory.size));
  const decoder = new TextDecoder();
  const entries: ZipEntry[] = [];
  for (let at = 0; at < view.byteLength; ) {
    if (at + headerBytes > view.byteLength || view.getUint32(at, true) !== 0x02014b50) {
      throw malformed(source, `no directory entry at ${directory.offset + at}`);
    }
    const next =
      at + headerBytes + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (next > view.byteLength) throw malformed(source, "a directory entry beyond the directory");
    if (entries.length === maxEntries) throw malformed(source, `more than ${maxEntries} entries`);
    entries.push(entryAt(view, at, decoder));
    at = next;
  }
  checkContents(source, entries);
  return entries;
}

function checkContents(source: ZipSource, entries: readonly ZipEntry[]): void {
  let contentBytes = 0;
  let end = 0;
  for (const { name, offset, compressedBytes, sizeBytes } of entries.toSorted((a, b) => a.offset - b.offset)) {
    if (offset < end) throw malformed(source, `the entry ${name} in the bytes of another`);
    end = offset + localHeaderBytes + compressedBytes;
    contentBytes += sizeBytes;
  }
  if (contentBytes > ratioFromBytes && contentBytes > maxRatio * source.sizeBytes) {
    throw malformed(source, `${contentBytes} bytes of content in ${source.sizeBytes}`);
  }
}

interface Directory {
  readonly offset: number;
  readonly size: number;
}

async function findDirectory(source: ZipSource): Promise<Directory> {
  const tailBytes = Math.min(source.sizeBytes, endBytes + maxCommentBytes + locatorBytes);
  const tail = viewOf(await source.readAt(source.sizeBytes - tailBytes, tailBytes));
  const end = findEnd(tail);
  if (end === undefined) throw malformed(source, "no end record: it is cut off or no zip archive");
  const locator = end - locatorBytes;
  if (locator >= 0 && tail.getUint32(locator, true) === 0x07064b50) {
    return zip64Directory(source, Number(tail.getBigUint64(locator + 8, true)));
  }
  return { size: tail.getUint32(end + 12, true), offset: tail.getUint32(end + 16, true) };
}

/** The last place whose comment length leads exactly to the end of the archive. */
function findEnd(tail: DataView): number | undefined {
  for (let at = tail.byteLength - endBytes; at >= 0; at--) {
    if (tail.getUint32(at, true) !== 0x06054b50) continue;
    if (at + endBytes + tail.getUint16(at + 20, true) === tail.byteLength) return at;
  }
  return undefined;
}

async function zip64Directory(source: ZipSource, offset: number): Promise<Directory> {
  const fits = offset + zip64EndBytes <= source.sizeBytes;
  const view = fits ? viewOf(await source.readAt(offset, zip64EndBytes)) : undefined;
  if (view?.byteLength !== zip64EndBytes || view.getUint32(0, true) !== 0x06064b50) {
    throw malformed(source, `no zip64 end record at ${offset}`);
  }
  return { size: Number(view.getBigUint64(40, true)), offset: Number(view.getBigUint64(48, true)) };
}

function entryAt(view: DataView, at: number, decoder: TextDecoder): ZipEntry {
  const nameBytes = view.getUint16(at + 28, true);
  const extraAt = at + headerBytes + nameBytes;
  const [sizeBytes, compressedBytes, offset] = wideNumbers(
    [view.getUint32(at + 24, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)],
    zip64Extra(view, extraAt, view.getUint16(at + 30, true)),
  );
  return {
    name: decoder.decode(new Uint8Array(view.buffer, view.byteOffset + at + headerBytes, nameBytes)),
    method: view.getUint16(at + 10, true),
    encrypted: (view.getUint16(at + 8, true) & 1) === 1,
    crc32: view.getUint32(at + 16, true),
    compressedBytes,
    sizeBytes,
    offset,
  };
}

type EntryNumbers = readonly [sizeBytes: number, compressedBytes: number, offset: number];

function wideNumbers(numbers: EntryNumbers, wide: readonly number[]): EntryNumbers {
  let used = 0;
  const widened = numbers.map((number) => (number === inZip64 ? (wide[used++] ?? number) : number));
  return widened as unknown as EntryNumbers;
}

/** The numbers of the zip64 extra field, as many as it has. */
function zip64Extra(view: DataView, from: number, length: number): readonly number[] {
  const end = from + length;
  for (let at = from; at + 4 <= end; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    const count = Math.min(3, Math.floor(Math.min(view.getUint16(at + 2, true), end - at - 4) / 8));
    return Array.from({ length: count }, (_, i) => Number(view.getBigUint64(at + 4 + 8 * i, true)));
  }
  return [];
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function malformed(source: ZipSource, found: string): ScanError {
  return new ScanError("malformed_archive", `${source.location}: expected a zip archive, found ${found}`);
}
