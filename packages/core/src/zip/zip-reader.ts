import type { ByteParts } from "../bytes/byte-parts.ts";
import { compileInflater, Inflater } from "../inflate/inflater.ts";
import type { Archive } from "./archive.ts";
import { type EntrySelection, readDirectory, type ZipEntry } from "./read-directory.ts";
import { checkEntry, findContent, placeOf, readEntry, stored } from "./read-entry.ts";
import { readParts } from "./reading.ts";

/** A zip archive in memory, or in scratch space. */
export interface ZipFile {
  /** For messages. */
  readonly location: string;
  readonly bytes: ByteParts;
}

/** Reads zip archives, for detectors. Of an archive outside memory, only the requested parts are loaded. */
export interface ZipReader {
  /** See {@link readDirectory}. @throws ScanError `malformed_archive` */
  list(file: ZipFile, selection?: EntrySelection): readonly ZipEntry[];
  /** Reads the content of an entry. @throws ScanError `malformed_archive`, also where it has more than `maxBytes` */
  read(file: ZipFile, entry: ZipEntry, maxBytes: number): Uint8Array;
  /** Like `read`, but for an uncompressed entry without a copy and without a check of its CRC. @throws ScanError `malformed_archive` */
  parts(file: ZipFile, entry: ZipEntry, maxBytes: number): ByteParts;
}

/**
 * Makes a reader. It makes a decoder for the first compressed entry, and reuses it.
 * @example
 * declare const bytes: Uint8Array;
 * const names = createZipReader()
 *   .list({ location: "app.jar", bytes })
 *   .map(({ name }) => name);
 */
export function createZipReader(): ZipReader {
  let inflater: Inflater | undefined;
  const read: ZipReader["read"] = (file, entry, maxBytes) => {
    inflater ??= new Inflater(compileInflater());
    return readParts(file.bytes, readEntry({ archive: archiveOf(file), entry, inflater, maxBytes }));
  };
  return {
    list: (file, selection) => readParts(file.bytes, readDirectory(archiveOf(file), selection)),
    read,
    parts(file, entry, maxBytes) {
      if (entry.method !== stored) return read(file, entry, maxBytes);
      const archive = archiveOf(file);
      checkEntry(entry, placeOf(archive, entry), maxBytes);
      const { offset, length } = readParts(file.bytes, findContent(archive, entry));
      return partOf(file.bytes, offset, Math.min(offset + length, file.bytes.length));
    },
  };
}

function archiveOf({ location, bytes }: ZipFile): Archive {
  return { location, sizeBytes: bytes.length };
}

/** A part of bytes, which are not loaded for it. */
function partOf(bytes: ByteParts, from: number, to: number): ByteParts {
  const length = Math.max(0, to - from);
  return {
    length,
    subarray: (start, end) => bytes.subarray(from + Math.min(start, length), from + Math.min(end, length)),
  };
}
