import type { ByteParts } from "../bytes/byte-parts.ts";
import { compileInflater, Inflater } from "../inflate/inflater.ts";
import { crc32 } from "./crc32.ts";
import { inflateChunks } from "./inflate-entry.ts";
import { type EntrySelection, readDirectory, type ZipEntry } from "./read-directory.ts";
import { checkEntry, findContent, malformedEntry, placeOf, readEntry, stored, wrongCrc } from "./read-entry.ts";
import { type Archive, readParts } from "./reading.ts";

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
  /**
   * The content of an entry in pieces, each of which is valid until the next call of the reader. It is decompressed only as far as pieces are taken; once
   * all are, its size and CRC have been checked, unless it is only searched: the caller reads it again where it finds something.
   * @throws ScanError `malformed_archive`
   */
  pieces(file: ZipFile, entry: ZipEntry, use?: "search"): Iterable<Uint8Array>;
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
    *pieces(file, entry, use) {
      const archive = archiveOf(file);
      const at = placeOf(archive, entry);
      checkEntry(entry, at, Number.MAX_SAFE_INTEGER);
      const { offset, length } = readParts(file.bytes, findContent(archive, entry));
      const content = inPieces(partOf(file.bytes, offset, Math.min(offset + length, file.bytes.length)));
      inflater ??= new Inflater(compileInflater());
      const decoder = inflater;
      const isStored = entry.method === stored;
      const checksum = isStored ? crc32 : (bytes: Uint8Array, crc: number) => decoder.crc32(bytes, crc);
      const pieces = isStored ? content : inflateChunks(decoder, content, at);
      yield* use === "search" ? pieces : checked(pieces, { ...entry, at, checksum });
    },
  };
}

interface CheckedContent extends Pick<ZipEntry, "sizeBytes" | "crc32"> {
  readonly at: string;
  readonly checksum: (bytes: Uint8Array, previous: number) => number;
}

function* checked(pieces: Iterable<Uint8Array>, expected: CheckedContent): Iterable<Uint8Array> {
  const { sizeBytes, at, checksum } = expected;
  let [length, crc] = [0, 0];
  for (const piece of pieces) {
    length += piece.length;
    if (length > sizeBytes) throw malformedEntry(at, `expected ${sizeBytes} bytes, found more`);
    crc = checksum(piece, crc);
    yield piece;
  }
  if (length < sizeBytes) throw malformedEntry(at, `expected ${sizeBytes} bytes, found ${length}`);
  if (crc !== expected.crc32) throw malformedEntry(at, wrongCrc);
}

/** The first piece is small, because it often tells that no more is needed. The decoder needs more than a kilobyte to begin. */
const firstPieceBytes = 2048;
const pieceBytes = 256 * 1024;

function* inPieces(bytes: ByteParts): Iterable<Uint8Array> {
  for (let at = 0, length = firstPieceBytes; at < bytes.length; at += length, length = pieceBytes) {
    yield bytes.subarray(at, at + length);
  }
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
