import { compileInflater, Inflater } from "../inflate/inflater.ts";
import type { ZipSource } from "./list-zip.ts";
import type { ZipEntry } from "./read-directory.ts";
import { readEntry } from "./read-entry.ts";
import { type ReadAt, readFrom } from "./reading.ts";

/** Reads one entry's content. @throws ScanError `malformed_archive` */
export type ReadZipEntry = (entry: ZipEntry) => Promise<Uint8Array>;

/** The number of bytes to read at once: entries are mostly small and consecutive. */
const windowBytes = 1024 ** 2;

/** The maximal size of one entry, compressed or not. */
const maxEntryBytes = 64 * 1024 ** 2;

/**
 * Makes a reader of an archive's entries. It is fastest in the order of their offsets, and buffers about a megabyte. An entry may have at most
 * 64 MiB.
 * @example
 * declare const bytes: Uint8Array;
 * const source: ZipSource = {
 *   location: "feed.zip",
 *   sizeBytes: bytes.length,
 *   readAt: async (offset, length) => bytes.slice(offset, offset + length),
 * };
 * const read = openZip(source);
 * for (const entry of await listZip(source)) console.log(entry.name, (await read(entry)).length);
 */
export function openZip(source: ZipSource): ReadZipEntry {
  const readAt = readAhead(source);
  const inflater = new Inflater(compileInflater());
  return (entry) => readFrom(readAt, readEntry({ archive: source, entry, inflater, maxBytes: maxEntryBytes }));
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
