/**
 * Reads the content of entries of a zip archive.
 *
 * ```
 * entry = "PK\3\4" needs:2 flags:2 method:2 time:4 crc:4 compressed:4 size:4 name:2 extra:2 name extra content
 * ```
 * Sizes and CRC are taken from the directory: an entry that was written as a stream has them only there.
 */
import { ScanError } from "../errors.ts";
import type { Inflater } from "../inflate/inflater.ts";
import { crc32 } from "./crc32.ts";
import { inflateEntry } from "./inflate-entry.ts";
import type { ZipEntry } from "./read-directory.ts";
import { type Archive, type ByteRange, type Reading, viewOf } from "./reading.ts";

/** Options of {@link readEntry}. */
export interface EntryReading {
  readonly archive: Archive;
  readonly entry: ZipEntry;
  readonly inflater: Inflater;
  /** The maximal size of the entry, compressed or not. */
  readonly maxBytes: number;
}

const headerBytes = 30;
/** The method of entries that are not compressed. */
export const stored = 0;
const deflated = 8;

/** The maximal compression ratio of DEFLATE. */
const maxDeflateRatio = 1032;

/** Reads an entry's content. @throws ScanError `malformed_archive` */
export function* readEntry({ archive, entry, inflater, maxBytes }: EntryReading): Reading<Uint8Array> {
  const at = placeOf(archive, entry);
  checkEntry(entry, at, maxBytes);
  const range = yield* findContent(archive, entry);
  const content = yield { offset: range.offset, length: range.length };
  if (content.length < range.length) {
    throw malformedEntry(at, `expected ${range.length} bytes at offset ${range.offset}, found ${content.length}`);
  }
  const { bytes, crc } = decompress({ inflater, entry, at }, content);
  if (crc !== entry.crc32) throw malformedEntry(at, wrongCrc);
  return bytes;
}

/** Finds the content of an entry. @throws ScanError `malformed_archive` */
export function* findContent(archive: Archive, entry: ZipEntry): Reading<ByteRange> {
  const header = yield { offset: entry.offset, length: headerBytes };
  const view = viewOf(header);
  if (header.length < headerBytes || view.getUint32(0, true) !== 0x04034b50) {
    throw malformedEntry(placeOf(archive, entry), `expected an entry at offset ${entry.offset}, found none`);
  }
  const offset = entry.offset + headerBytes + view.getUint16(26, true) + view.getUint16(28, true);
  return { offset, length: entry.compressedBytes };
}

/** Checks in the directory whether an entry can be read. @throws ScanError `malformed_archive` where it cannot */
export function checkEntry(
  { encrypted, method, compressedBytes, sizeBytes }: ZipEntry,
  at: string,
  maxBytes: number,
): void {
  if (encrypted) throw malformedEntry(at, "expected an entry without password, found an encrypted one");
  const largest = Math.max(compressedBytes, sizeBytes);
  if (largest > maxBytes) throw malformedEntry(at, `expected at most ${maxBytes} bytes, found ${largest}`);
  if (method !== stored && method !== deflated) {
    throw malformedEntry(at, `expected method 0 (stored) or 8 (deflated), found ${method}`);
  }
  const canHold = method === stored ? compressedBytes : compressedBytes * maxDeflateRatio;
  if (sizeBytes > canHold) throw malformedEntry(at, `expected ${sizeBytes} bytes, found room for ${canHold}`);
}

/** The name of an entry in messages. */
export function placeOf({ location }: Archive, { name }: ZipEntry): string {
  return `${location}: ${name}`;
}

interface Compressed extends Pick<EntryReading, "inflater" | "entry"> {
  readonly at: string;
}

interface Content {
  readonly bytes: Uint8Array;
  readonly crc: number;
}

function decompress({ inflater, entry, at }: Compressed, content: Uint8Array): Content {
  if (entry.method === stored) return { bytes: content, crc: crc32(content) };
  return inflateEntry(inflater, content, { sizeBytes: entry.sizeBytes, at });
}

/** The message for a content that was changed. */
export const wrongCrc = "the content does not have the CRC in the directory";

/** The error of one entry. */
export function malformedEntry(at: string, message: string): ScanError {
  return new ScanError("malformed_archive", `${at}: ${message}`);
}
