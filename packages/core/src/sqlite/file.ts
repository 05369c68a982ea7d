import { bigEndian, byteAt, bytesAt } from "../bytes/byte-order.ts";
import type { ByteParts } from "../bytes/byte-parts.ts";
import { concatBytes, type JoinBytes } from "../bytes/concat-bytes.ts";
import { malformedPackageDb } from "../bytes/malformed-package-db.ts";
import type { ScanError } from "../errors.ts";

/** An SQLite database as numbered pages. */
export interface SqliteFile {
  /** 512 to 65536, a power of two. */
  readonly pageSize: number;
  /** The bytes of a page that hold content: without those reserved for extensions. */
  readonly usableBytes: number;
  /** A label that TextDecoder knows. */
  readonly textEncoding: string;
  /** Pages are numbered from 1. */
  readonly pageCount: number;
  /** Joins content that is spread over several pages. */
  readonly join: JoinBytes;
  /** All bytes of a page. @throws ScanError `malformed_package_db` for a page that does not exist. */
  page(number: number): Uint8Array;
}

/** The length of the header, with which page 1 begins. */
export const fileHeaderBytes = 100;

const magic = "SQLite format 3\0";
const textEncodings: readonly string[] = ["utf-8", "utf-8", "utf-16le", "utf-16be"]; // 0: nothing was ever written

/** Whether bytes begin like an SQLite database. */
export function isSqliteFile(bytes: ByteParts): boolean {
  const begin = bytes.subarray(0, magic.length);
  return [...magic].every((character, index) => begin[index] === character.charCodeAt(0));
}

/**
 * Decodes the header of an SQLite database, big-endian:
 *
 * ```text
 *  0  "SQLite format 3\0"
 * 16  u16 page size, 1 means 65536
 * 20  u8  bytes reserved at the end of every page
 * 56  u32 text encoding: 1 UTF-8, 2 UTF-16LE, 3 UTF-16BE
 * ```
 *
 * The number of pages is computed from the bytes, not read from the header: a truncated file has fewer.
 * @see https://www.sqlite.org/fileformat2.html#the_database_header
 * @throws ScanError `malformed_package_db`
 */
export function decodeSqliteFile(bytes: ByteParts, join: JoinBytes = concatBytes): SqliteFile {
  if (!isSqliteFile(bytes)) throw malformedPackageDb(`expected "SQLite format 3" at the beginning of the file`);
  const header = bytes.subarray(0, fileHeaderBytes);
  const storedSize = bigEndian.u16(header, 16);
  const pageSize = storedSize === 1 ? 65536 : storedSize;
  if (!isPageSize(pageSize)) throw malformedPackageDb(`expected a page size of 512 to 65536 bytes, found ${pageSize}`);
  const usableBytes = pageSize - byteAt(header, 20);
  if (usableBytes < 480) throw malformedPackageDb(`expected 480 usable bytes or more in a page, found ${usableBytes}`);
  const textEncoding = textEncodings[bigEndian.u32(header, 56)];
  if (textEncoding === undefined)
    throw malformedPackageDb(`expected text encoding 1 to 3, found ${bigEndian.u32(header, 56)}`);
  const pageCount = Math.floor(bytes.length / pageSize);
  const page = (number: number): Uint8Array => {
    if (number < 1 || number > pageCount) throw missingPage(number, pageCount);
    return bytesAt(bytes, (number - 1) * pageSize, pageSize);
  };
  return { pageSize, usableBytes, textEncoding, pageCount, join, page };
}

/** The error for a page number outside of the database. */
export function missingPage(number: number, pageCount: number): ScanError {
  return malformedPackageDb(`expected a page from 1 to ${pageCount}, found a reference to page ${number}`);
}

function isPageSize(size: number): boolean {
  return size >= 512 && (size & (size - 1)) === 0;
}
