/**
 * The content of a zip archive's entries.
 *
 * ```
 * entry = "PK\3\4" needs:2 flags:2 method:2 time:4 crc:4 compressed:4 size:4 name:2 extra:2 name extra content
 * ```
 * Sizes and CRC are taken from the directory: an entry that was written as a stream has them only there.
 */
import { ScanError } from "../errors.ts";
import { compileInflater, Inflater } from "../inflate/inflater.ts";
import { crc32 } from "./crc32.ts";
import { inflateEntry } from "./inflate-entry.ts";
import type { ZipEntry, ZipSource } from "./list-zip.ts";

/** Reads one entry's content. @throws ScanError `malformed_archive` */
export type ReadZipEntry = (entry: ZipEntry) => Promise<Uint8Array>;

const headerBytes = 30;
const stored = 0;
const deflated = 8;

/** Bytes that are read at once: entries mostly follow each other and are small. */
const windowBytes = 1024 ** 2;

/** Bytes of one entry, compressed or not. */
const maxEntryBytes = 64 * 1024 ** 2;

/** A reader of an archive's entries, quickest in the order of their offsets. It keeps about a megabyte. */
export function openZip(source: ZipSource): ReadZipEntry {
  const readAt = readAhead(source);
  const inflater = new Inflater(compileInflater());
  return async (entry) => {
    const at = `${source.location}: ${entry.name}`;
    if (entry.encrypted) throw malformed(at, "expected an entry without password, found an encrypted one");
    if (Math.max(entry.compressedBytes, entry.sizeBytes) > maxEntryBytes) {
      throw malformed(at, `expected at most ${maxEntryBytes} bytes, found ${entry.sizeBytes}`);
    }
    const content = decompress({ inflater, entry, at }, await readContent(readAt, entry, at));
    if (crc32(content) !== entry.crc32)
      throw malformed(at, "the content does not have the CRC that the directory says");
    return content;
  };
}

type ReadAt = (offset: number, length: number) => Promise<Uint8Array>;

async function readContent(readAt: ReadAt, entry: ZipEntry, at: string): Promise<Uint8Array> {
  const header = await readAt(entry.offset, headerBytes);
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  if (header.length < headerBytes || view.getUint32(0, true) !== 0x04034b50) {
    throw malformed(at, `expected an entry at offset ${entry.offset}, found none`);
  }
  const start = entry.offset + headerBytes + view.getUint16(26, true) + view.getUint16(28, true);
  const content = await readAt(start, entry.compressedBytes);
  if (content.length < entry.compressedBytes) {
    throw malformed(at, `expected ${entry.compressedBytes} bytes at offset ${start}, found ${content.length}`);
  }
  return content;
}

interface Compressed {
  readonly inflater: Inflater;
  readonly entry: ZipEntry;
  readonly at: string;
}

function decompress({ inflater, entry, at }: Compressed, content: Uint8Array): Uint8Array {
  switch (entry.method) {
    case stored:
      return content;
    case deflated:
      return inflateEntry(inflater, content, entry.sizeBytes, at);
    default:
      throw malformed(at, `expected method 0 (stored) or 8 (deflated), found ${entry.method}`);
  }
}

function readAhead(source: ZipSource): ReadAt {
  let start = 0;
  let window: Uint8Array = new Uint8Array();
  return async (offset, length) => {
    if (offset < start || offset + length > start + window.length) {
      window = await source.readAt(offset, Math.max(length, windowBytes));
      start = offset;
    }
    return window.subarray(offset - start, offset - start + length);
  };
}

function malformed(at: string, message: string): ScanError {
  return new ScanError("malformed_archive", `${at}: ${message}`);
}
