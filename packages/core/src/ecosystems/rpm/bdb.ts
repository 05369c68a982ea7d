import { byteAt, bytesAt } from "../../bytes/byte-order.ts";
import type { ByteParts } from "../../bytes/byte-parts.ts";
import type { JoinBytes } from "../../bytes/concat-bytes.ts";
import { type DamagedPart, damagedPart, malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import { noPageClaims, type PageClaims } from "../../bytes/page-claims.ts";
import { type BdbPages, decodeBdbPages, pageHeaderBytes } from "./bdb-pages.ts";
import type { RpmRecord } from "./record.ts";

const hashPages: readonly number[] = [2, 13]; // unsorted (before Berkeley DB 4.6), sorted
const unusedPage = 0;
const otherPages: readonly number[] = [unusedPage, 7]; // 7: overflow
const inlineItem = 1;
const overflowItem = 3;
const nextNumberKey = 0;

/**
 * Reads the records of a `Packages` file: a Berkeley DB hash from package number to header.
 *
 * ```text
 * hash page  page header, u16 offset of each item; keys and values alternate. The offsets decrease: an item ends where
 *            the one before it begins, the first at the end of the page
 * item       u8 type: 1 and the bytes, or 3 and 3 unused bytes, u32 first overflow page, u32 length
 * ```
 *
 * Pages are read in order instead of by buckets, so that the other pages are read if one is damaged. The numbers in
 * the keys have the file's byte order. Key 0 has the next package number.
 * @throws ScanError `malformed_package_db` if the file as a whole cannot be read
 */
export function* readBdb(bytes: ByteParts, join?: JoinBytes): Generator<RpmRecord | DamagedPart> {
  const pages = decodeBdbPages(bytes, join);
  const claims = noPageClaims();
  let isEmpty = true;
  for (let number = 1; number < pages.pagesInFile; number++) {
    try {
      for (const item of readHashPage(pages, claims, number)) {
        isEmpty = false;
        yield item;
      }
    } catch (error) {
      isEmpty = false;
      yield damagedPart(`page ${number}`, error);
    }
  }
  yield* inconsistencies(pages, { isEmpty });
}

/** The differences between the meta page and the file. Unused pages at the end of the file are not reported. */
function* inconsistencies(pages: BdbPages, { isEmpty }: { readonly isEmpty: boolean }): Generator<DamagedPart> {
  const { lastPage, pagesInFile, pairs } = pages;
  const stated = lastPage + 1;
  if (stated > pagesInFile) {
    const truncated = malformedPackageDb(`expected ${stated} pages, found ${pagesInFile}: the file is truncated`);
    yield damagedPart(`page ${pagesInFile}`, truncated);
  } else if (hasUsedPage(pages, stated)) {
    const message = `expected ${stated} pages as it says, found ${pagesInFile} in the file; all were read`;
    yield damagedPart("meta page", malformedPackageDb(message));
  } else if (isEmpty && pairs > 1) {
    const message = `expected ${pairs} pairs of key and value as it says, found none`;
    yield damagedPart("meta page", malformedPackageDb(message));
  }
}

function hasUsedPage({ page, pagesInFile }: BdbPages, from: number): boolean {
  for (let number = from; number < pagesInFile; number++) if (byteAt(page(number), 25) !== unusedPage) return true;
  return false;
}

function* readHashPage(pages: BdbPages, claims: PageClaims, number: number): Generator<RpmRecord | DamagedPart> {
  const page = pages.page(number);
  const type = byteAt(page, 25);
  if (otherPages.includes(type)) return;
  if (!hashPages.includes(type))
    throw malformedPackageDb(`expected a page of a hash (type 0, 2, 7 or 13), found type ${type}`);
  const items = hashItems(pages, page);
  for (let index = 0; index < items.length; index += 2) {
    try {
      const record = readPair(pages, claims, { key: items[index], value: items[index + 1] });
      if (record.recordNumber !== nextNumberKey) yield record;
    } catch (error) {
      yield damagedPart(`item ${index} of page ${number}`, error);
    }
  }
}

function hashItems(pages: BdbPages, page: Uint8Array): readonly Uint8Array[] {
  const count = pages.order.u16(page, 20);
  let end = page.length;
  return Array.from({ length: count }, (_, index) => {
    const start = pages.order.u16(page, pageHeaderBytes + 2 * index);
    if (start < pageHeaderBytes + 2 * count || start >= end) {
      throw malformedPackageDb(`item ${index} of ${count} overlaps others or the offsets`);
    }
    const item = bytesAt(page, start, end - start);
    end = start;
    return item;
  });
}

function readPair(
  pages: BdbPages,
  claims: PageClaims,
  { key, value }: { readonly key?: Uint8Array | undefined; readonly value?: Uint8Array | undefined } = {},
): RpmRecord {
  if (key === undefined || value === undefined) throw malformedPackageDb("expected a value after the last key");
  if (key.length !== 5 || byteAt(key, 0) !== inlineItem) {
    throw malformedPackageDb(`expected a key of type ${inlineItem} and 4 bytes, found ${key.length} bytes`);
  }
  const recordNumber = pages.order.u32(key, 1);
  return { kind: "record", recordNumber, blob: readValue(pages, claims, value) };
}

function readValue(pages: BdbPages, claims: PageClaims, item: Uint8Array): Uint8Array {
  const type = byteAt(item, 0);
  if (type === inlineItem) return item.subarray(1);
  if (type !== overflowItem) throw malformedPackageDb(`expected a value of type 1 or 3, found type ${type}`);
  return readBdbOverflow(pages, claims, { firstPage: pages.order.u32(item, 4), length: pages.order.u32(item, 8) });
}

const overflowPage = 7;

/**
 * Reads a value of `length` bytes from a chain of overflow pages. Each page has `used bytes` of it after the header,
 * and the number of the `next` page, which is 0 at the end.
 * @throws ScanError `malformed_package_db` if the chain is shorter or longer, loops or leads to other pages
 */
function readBdbOverflow(
  pages: BdbPages,
  claims: PageClaims,
  value: { readonly firstPage: number; readonly length: number },
): Uint8Array {
  const parts: Uint8Array[] = [];
  let missing = value.length;
  for (let next = value.firstPage; next !== 0; ) {
    claims.claim(next);
    const page = pages.page(next);
    if (byteAt(page, 25) !== overflowPage) {
      throw malformedPackageDb(`expected page type ${overflowPage} for page ${next}, found type ${byteAt(page, 25)}`);
    }
    const part = bytesAt(page, pageHeaderBytes, pages.order.u16(page, 22));
    parts.push(part);
    missing -= part.length;
    next = pages.order.u32(page, 16);
  }
  if (missing !== 0)
    throw malformedPackageDb(`expected ${value.length} bytes on overflow pages, found ${value.length - missing}`);
  return pages.join(parts);
}
