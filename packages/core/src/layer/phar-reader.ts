/**
 * Reads the archives in which programs of PHP are shipped.
 *
 * ```
 * archive  = stub "__HALT_COMPILER();" [" "] ["?>"] [CR] [LF] manifest {content} [signature]
 * manifest = bytes:4 files:4 api:2 flags:4 alias:text metadata:text {entry}
 * entry    = name:text size:4 time:4 compressed-size:4 crc:4 flags:4 metadata:text          text = length:4 bytes
 * ```
 * Numbers are little-endian. Contents follow each other in the order of the entries. Flag 0x1000 of an entry: raw DEFLATE, 0x2000: bzip2.
 * @see https://www.php.net/manual/en/phar.fileformat.php
 */
import { bytesAt, littleEndian } from "../bytes/byte-order.ts";
import { type ByteParts, piecesOf } from "../bytes/byte-parts.ts";
import { ScanError } from "../errors.ts";
import { compileInflater, Inflater } from "../inflate/inflater.ts";
import { maxStubBytes, pharMark } from "../programs/watch-program.ts";
import { inflateChunks } from "../zip/inflate-entry.ts";
import type { ZipEntry } from "../zip/read-directory.ts";
import type { ZipFile, ZipReader } from "../zip/zip-reader.ts";

/** Manifests of large tools have a megabyte. */
const maxManifestBytes = 64 * 1024 ** 2;
const maxNameBytes = 4096;
const pieceBytes = 256 * 1024;
const [deflated, bzipped] = [0x1000, 0x2000];
/** Values of {@link ZipEntry.method}. Contents may overlap, so that their bytes are counted like those of compressed entries. */
const methods = { plain: -1, deflate: 8, other: -2 };

/** A reader of phar archives, with entries in the form of those of a zip archive. */
export function createPharReader(): ZipReader {
  let inflater: Inflater | undefined;
  function* pieces(file: ZipFile, entry: ZipEntry): Iterable<Uint8Array> {
    const content = piecesOf(checkedContent(file, entry), pieceBytes);
    if (entry.method === methods.plain) {
      yield* content;
      return;
    }
    inflater ??= new Inflater(compileInflater());
    let length = 0;
    for (const piece of inflateChunks(inflater, content, `${file.location}: ${entry.name}`)) {
      length += piece.length;
      if (length > entry.sizeBytes)
        throw malformed(file, `expected ${entry.sizeBytes} bytes in ${entry.name}, found more`);
      yield piece;
    }
  }
  const read = (file: ZipFile, entry: ZipEntry, maxBytes: number): Uint8Array => {
    if (entry.sizeBytes > maxBytes) throw malformed(file, `expected at most ${maxBytes} bytes in ${entry.name}`);
    const bytes = new Uint8Array(entry.sizeBytes);
    let length = 0;
    for (const piece of pieces(file, entry)) {
      bytes.set(piece, length);
      length += piece.length;
    }
    if (length < bytes.length)
      throw malformed(file, `expected ${bytes.length} bytes in ${entry.name}, found ${length}`);
    return bytes;
  };
  return {
    list: (file, { wants = () => true } = {}) =>
      [...entriesOf(file)].filter((each) => wants(each.name, each.sizeBytes)),
    read,
    parts: read,
    pieces,
  };
}

/** The files of the archive, in the order of the manifest. */
function* entriesOf(file: ZipFile): Iterable<ZipEntry> {
  const { start, bytes } = readManifest(file);
  const { u32 } = littleEndian;
  const count = u32(bytes, 0);
  let at = 10;
  const text = (): Uint8Array => {
    const length = u32(bytes, at);
    at += 4 + length;
    return bytesAt(bytes, at - length, length);
  };
  text();
  text();
  for (let left = count, offset = start + bytes.length; left > 0; left--) {
    const name = nameIn(file, text());
    const [sizeBytes, , compressedBytes, crc32, flags] = [0, 4, 8, 12, 16].map((each) =>
      u32(bytes, at + each),
    ) as Fields;
    at += 20;
    text();
    const isPacked = (flags & (deflated | bzipped)) !== 0;
    const method = isPacked ? ((flags & deflated) !== 0 ? methods.deflate : methods.other) : methods.plain;
    yield {
      name,
      method,
      encrypted: false,
      crc32,
      compressedBytes,
      sizeBytes,
      offset,
      mode: 0o100000 | (flags & 0o777),
    };
    offset += compressedBytes;
  }
}

type Fields = [number, number, number, number, number];

function nameIn(file: ZipFile, bytes: Uint8Array): string {
  if (bytes.length > maxNameBytes) throw malformed(file, `expected a name of at most ${maxNameBytes} bytes`);
  return new TextDecoder().decode(bytes);
}

function readManifest(file: ZipFile): { readonly start: number; readonly bytes: Uint8Array } {
  const stub = file.bytes.subarray(0, maxStubBytes);
  const mark = pharMark.find(stub);
  if (mark < 0) throw malformed(file, "expected __HALT_COMPILER(); in the first megabyte, found none");
  const from = mark + pharMark.length;
  const rest = String.fromCharCode(...file.bytes.subarray(from, from + 8));
  const start = from + (/^ ?\?>(?:\r\n|\n|\r)?/.exec(rest)?.[0].length ?? 0);
  const length = littleEndian.u32(bytesAt(file.bytes, start, 4), 0);
  if (length > maxManifestBytes)
    throw malformed(file, `expected a manifest of at most ${maxManifestBytes} bytes, found ${length}`);
  try {
    return { start: start + 4, bytes: bytesAt(file.bytes, start + 4, length) };
  } catch (error) {
    throw error instanceof ScanError ? malformed(file, error.message) : error;
  }
}

/** The content as it is stored. @throws ScanError `malformed_archive` */
function checkedContent(file: ZipFile, { name, method, offset, sizeBytes, compressedBytes }: ZipEntry): ByteParts {
  if (method === methods.other) throw malformed(file, `expected no bzip2 in ${name}, which is not read`);
  if (method === methods.plain && sizeBytes !== compressedBytes)
    throw malformed(file, `expected ${sizeBytes} bytes in ${name}, found ${compressedBytes}`);
  if (offset + compressedBytes > file.bytes.length)
    throw malformed(file, `expected the content of ${name}, found the end of the archive`);
  return {
    length: compressedBytes,
    subarray: (start, end) => file.bytes.subarray(offset + start, offset + Math.min(end, compressedBytes)),
  };
}

function malformed({ location }: ZipFile, message: string): ScanError {
  return new ScanError("malformed_archive", `${location}: ${message}`);
}
