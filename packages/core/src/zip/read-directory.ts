/**
 * Reads the entries in a zip archive's directory.
 *
 * ```
 * directory = { "PK\1\2" … flags:2 method:2 … crc:4 compressed:4 size:4 name:2 extra:2 comment:2 … offset:4 name … }
 * ```
 * Numbers are little-endian; 0xffffffff means: in the zip64 extra field (id 1), in the order size, compressed, offset.
 */

import { findDirectory } from "./find-directory.ts";
import { type Archive, malformedArchive, type Reading, viewOf } from "./reading.ts";

/** One file of an archive. */
export interface ZipEntry {
  readonly name: string;
  /** 0 stored, 8 deflated. */
  readonly method: number;
  readonly encrypted: boolean;
  readonly crc32: number;
  readonly compressedBytes: number;
  readonly sizeBytes: number;
  /** The offset of its local header in the file. */
  readonly offset: number;
  /** File type and permissions of Unix; 0 where the archive was not made on such a system. */
  readonly mode: number;
}

/** Selects entries to list. */
export interface EntrySelection {
  /** Called once with each name, and the size of the content unless the archive is larger than 4 GB. By default all entries are listed. */
  wants?(name: string, sizeBytes: number): boolean;
  /** Called with each symbolic link and its target from the root of the archive, by readers of formats that state it in the directory. */
  seeLink?(name: string, target: string): void;
  /** The maximal number of entries of the whole directory; by default a million. */
  readonly maxEntries?: number;
}

const headerBytes = 46;
const localHeaderBytes = 30;
const inZip64 = 0xffffffff;

/** The system that an entry was made on. */
const unixHost = 3;

/** The directory of OSV's largest archive has 40 MB. */
const maxDirectoryBytes = 128 * 1024 ** 2;
const manyEntries = 1_000_000;

/**
 * Lists entries in the order of the directory. Entries do not overlap.
 * @throws ScanError `malformed_archive` where the bytes are not a zip archive, are cut off or have no readable directory
 */
export function* readDirectory(archive: Archive, selection: EntrySelection = {}): Reading<readonly ZipEntry[]> {
  const { offset, sizeBytes, base } = yield* findDirectory(archive);
  if (offset + sizeBytes > archive.sizeBytes) throw malformedArchive(archive, "a directory beyond its end");
  if (sizeBytes > maxDirectoryBytes) throw malformedArchive(archive, `a directory of ${sizeBytes} bytes`);
  const bytes = yield { offset, length: sizeBytes };
  const entries = [...entriesIn(archive, { view: viewOf(bytes), offset, base }, selection)];
  checkOverlaps(archive, entries);
  const [first] = entries;
  if (base > 0 && first !== undefined) yield* checkBase(archive, first);
  return entries;
}

interface DirectoryBytes {
  readonly view: DataView;
  readonly offset: number;
  readonly base: number;
}

function* entriesIn(
  archive: Archive,
  { view, offset, base }: DirectoryBytes,
  { wants = () => true, maxEntries = manyEntries }: EntrySelection,
): Iterable<ZipEntry> {
  let count = 0;
  for (let at = 0; at < view.byteLength; ) {
    if (at + headerBytes > view.byteLength || view.getUint32(at, true) !== 0x02014b50) {
      throw malformedArchive(archive, `no directory entry at ${offset + at}`);
    }
    const next =
      at + headerBytes + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (next > view.byteLength) throw malformedArchive(archive, "a directory entry beyond the directory");
    if (++count > maxEntries) throw malformedArchive(archive, `more than ${maxEntries} entries`);
    const name = nameAt(view, at);
    if (wants(name, view.getUint32(at + 24, true))) yield entryAt({ view, at, name, base });
    at = next;
  }
}

function nameAt(view: DataView, at: number): string {
  return utf8.decode(new Uint8Array(view.buffer, view.byteOffset + at + headerBytes, view.getUint16(at + 28, true)));
}

const utf8 = new TextDecoder();

interface EntryPlace {
  readonly view: DataView;
  readonly at: number;
  readonly name: string;
  readonly base: number;
}

function entryAt({ view, at, name, base }: EntryPlace): ZipEntry {
  const extraAt = at + headerBytes + view.getUint16(at + 28, true);
  const [sizeBytes, compressedBytes, offset] = wideNumbers(
    [view.getUint32(at + 24, true), view.getUint32(at + 20, true), view.getUint32(at + 42, true)],
    zip64Extra(view, extraAt, view.getUint16(at + 30, true)),
  );
  return {
    name,
    method: view.getUint16(at + 10, true),
    encrypted: (view.getUint16(at + 8, true) & 1) === 1,
    crc32: view.getUint32(at + 16, true),
    compressedBytes,
    sizeBytes,
    offset: base + offset,
    mode: view.getUint8(at + 5) === unixHost ? view.getUint16(at + 40, true) : 0,
  };
}

type EntryNumbers = readonly [sizeBytes: number, compressedBytes: number, offset: number];

function wideNumbers([size, compressed, offset]: EntryNumbers, wide: readonly number[]): EntryNumbers {
  let used = 0;
  const widened = (number: number) => (number === inZip64 ? (wide[used++] ?? number) : number);
  return [widened(size), widened(compressed), widened(offset)];
}

/** The numbers in the zip64 extra field. */
function zip64Extra(view: DataView, from: number, length: number): readonly number[] {
  const end = from + length;
  for (let at = from; at + 4 <= end; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    const count = Math.min(3, Math.floor(Math.min(view.getUint16(at + 2, true), end - at - 4) / 8));
    return Array.from({ length: count }, (_, i) => Number(view.getBigUint64(at + 4 + 8 * i, true)));
  }
  return [];
}

function checkOverlaps(archive: Archive, entries: readonly ZipEntry[]): void {
  let end = 0;
  for (const { name, offset, compressedBytes } of entries.toSorted((a, b) => a.offset - b.offset)) {
    if (offset < end) throw malformedArchive(archive, `the entry ${name}, which overlaps another`);
    end = offset + localHeaderBytes + compressedBytes;
  }
}

/** If offsets do not count from the beginning of the file, checks with the first entry that the base is right. */
function* checkBase(archive: Archive, { offset, name }: ZipEntry): Reading<void> {
  const magic = yield { offset, length: 4 };
  if (magic.length === 4 && viewOf(magic).getUint32(0, true) === 0x04034b50) return;
  throw malformedArchive(archive, `nothing at ${offset}, where the directory has ${name}`);
}
