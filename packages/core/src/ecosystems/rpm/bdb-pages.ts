import { type ByteOrder, bigEndian, byteAt, bytesAt, littleEndian } from "../../bytes/byte-order.ts";
import type { ByteParts } from "../../bytes/byte-parts.ts";
import { concatBytes, type JoinBytes } from "../../bytes/concat-bytes.ts";
import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";

/** The numbered pages of a Berkeley DB hash. */
export interface BdbPages {
  readonly order: ByteOrder;
  readonly pageSize: number;
  /** The number of the last page, according to page 0, the meta page. */
  readonly lastPage: number;
  /** The number of whole pages in the file, including the meta page. */
  readonly pagesInFile: number;
  /** The number of pairs of key and value, according to page 0. */
  readonly pairs: number;
  /** Joins the parts of a value on several pages. */
  readonly join: JoinBytes;
  /** @throws ScanError `malformed_package_db` for a missing page */
  page(number: number): Uint8Array;
}

/** The length of the header of every page. */
export const pageHeaderBytes = 26;

const hashMagic = 0x00061561;
const hashMetaPage = 8;
/** The bytes that are read of page 0. */
const metaBytes = 92;

/** Whether a file begins like a Berkeley DB hash, in either byte order. */
export function isBdbHash(bytes: ByteParts): boolean {
  return findByteOrder(bytes) !== undefined;
}

/**
 * Decodes the meta page, in the byte order of the machine that wrote the file:
 *
 * ```text
 * page    u64 sequence, u32 number, u32 previous, u32 next, u16 items, u16 used bytes, u8 level, u8 type
 * page 0  at 12 u32 magic 0x00061561, u32 version, u32 page size, u8 encryption, u8 type 8; at 32 u32 last page, at 88 u32 pairs
 * ```
 * @see https://github.com/berkeleydb/libdb/blob/v5.3.28/src/dbinc/db_page.h
 * @throws ScanError `malformed_package_db`
 */
export function decodeBdbPages(bytes: ByteParts, join: JoinBytes = concatBytes): BdbPages {
  const order = findByteOrder(bytes);
  if (order === undefined) throw malformedPackageDb("expected the magic of a Berkeley DB hash at offset 12");
  const meta = bytes.subarray(0, metaBytes);
  const pageSize = order.u32(meta, 20);
  if (pageSize < 512 || pageSize > 65536 || (pageSize & (pageSize - 1)) !== 0) {
    throw malformedPackageDb(`expected a page size of 512 to 65536 bytes, found ${pageSize}`);
  }
  if (byteAt(meta, 24) !== 0) throw malformedPackageDb("expected a Berkeley DB without encryption");
  if (byteAt(meta, 25) !== hashMetaPage) {
    throw malformedPackageDb(`expected page type ${hashMetaPage} for page 0, found type ${byteAt(meta, 25)}`);
  }
  const lastPage = order.u32(meta, 32);
  const pagesInFile = Math.floor(bytes.length / pageSize);
  const highest = Math.max(lastPage, pagesInFile - 1);
  const page = (number: number): Uint8Array => {
    if (number > highest)
      throw malformedPackageDb(`expected a page up to ${highest}, found a reference to page ${number}`);
    return bytesAt(bytes, number * pageSize, pageSize);
  };
  return { order, pageSize, lastPage, pagesInFile, pairs: pagesInFile === 0 ? 0 : order.u32(meta, 88), join, page };
}

function findByteOrder(bytes: ByteParts): ByteOrder | undefined {
  if (bytes.length < 72) return undefined;
  const meta = bytes.subarray(0, metaBytes);
  return [littleEndian, bigEndian].find((order) => order.u32(meta, 12) === hashMagic);
}
