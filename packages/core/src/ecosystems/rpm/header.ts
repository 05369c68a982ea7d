import { bigEndian, bytesAt } from "../../bytes/byte-order.ts";
import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";

/** The entries of an rpm header by tag. The content of an entry is decoded and checked only when it is read. */
export interface RpmHeader {
  readonly entries: ReadonlyMap<number, HeaderEntry>;
  /** The contents of all entries, to which their offsets are relative. */
  readonly store: Uint8Array;
}

/** The place of one tag's content. */
export interface HeaderEntry {
  readonly type: number;
  /** Signed: the offset of a region's trailer is negative. */
  readonly offset: number;
  readonly count: number;
}

const int32Type = 4;
const stringType = 6;
const binaryType = 7;
const stringArrayType = 8;
const i18nStringType = 9;
const entryBytes = 16;
const maxEntries = 65535;
const maxStoreBytes = 0x0fffffff;
/** The largest number of values of one tag. No package has nearly as many files; a store full of zero bytes has more empty texts. */
const maxValues = 1_000_000;
/** Longer than any licence expression that a distribution ships. */
const maxTextLength = 65536;
const regionTags: readonly number[] = [61, 62, 63]; // image, signatures, immutable

/**
 * Decodes a header in the form of package databases, without the magic number that it has in a package file. Big-endian:
 *
 * ```text
 * u32 number of entries, u32 length of the store, entries, store
 * entry   i32 tag, u32 type, i32 offset, u32 count
 * region  the first entry if its tag is 61, 62 or 63: binary, count 16, the offset of a trailer in the store. The trailer
 *         is an entry whose negative offset is the number of bytes of the region's entries; if the region has offset 0, it
 *         has no trailer and all entries. Entries after the region ("dribbles") were added by the installation and replace
 *         entries of the region.
 * ```
 *
 * Headers older than rpm 4 have no region.
 * @see https://rpm-software-management.github.io/rpm/manual/format_header.html
 * @throws ScanError `malformed_package_db`
 */
export function decodeHeader(blob: Uint8Array): RpmHeader {
  const entryCount = bigEndian.u32(blob, 0);
  const storeBytes = bigEndian.u32(blob, 4);
  if (entryCount < 1 || entryCount > maxEntries) {
    throw malformedPackageDb(`expected 1 to ${maxEntries} header entries, found ${entryCount}`);
  }
  const expectedBytes = 8 + entryCount * entryBytes + storeBytes;
  if (storeBytes > maxStoreBytes || expectedBytes !== blob.length) {
    throw malformedPackageDb(`expected a header of ${expectedBytes} bytes, found ${blob.length}`);
  }
  const store = blob.subarray(blob.length - storeBytes);
  checkRegion(blob, store, entryCount);
  const entries = new Map<number, HeaderEntry>();
  for (let index = 0; index < entryCount; index++) {
    const [tag, entry] = decodeEntry(blob, 8 + index * entryBytes);
    entries.set(tag, entry); // dribbles come last and replace entries of the region
  }
  return { entries, store };
}

/** The text of a tag; for a translated text, the first one. Undefined if the header does not have the tag. */
export function headerString(header: RpmHeader, tag: number): string | undefined {
  const entry = findEntry(header, tag, [stringType, i18nStringType]);
  const text = entry && decodeStrings(header, { ...entry, count: 1 })[0];
  if (text === undefined || text.length <= maxTextLength) return text;
  throw malformedPackageDb(`expected a string of at most ${maxTextLength} characters for tag ${tag}`);
}

/** The texts of a tag; undefined if the header does not have the tag. */
export function headerStrings(header: RpmHeader, tag: number): readonly string[] | undefined {
  const entry = findEntry(header, tag, [stringArrayType]);
  return entry && decodeStrings(header, entry);
}

/** The first of the unsigned 32-bit numbers of a tag; undefined if the header does not have the tag. */
export function headerNumber(header: RpmHeader, tag: number): number | undefined {
  const entry = findEntry(header, tag, [int32Type]);
  return entry && decodeNumbers(header, { ...entry, count: 1 })[0];
}

/** The unsigned 32-bit numbers of a tag; undefined if the header does not have the tag. */
export function headerNumbers(header: RpmHeader, tag: number): readonly number[] | undefined {
  const entry = findEntry(header, tag, [int32Type]);
  return entry && decodeNumbers(header, entry);
}

/** The bytes of a tag, not copied; undefined if the header does not have the tag. */
export function headerBytes(header: RpmHeader, tag: number): Uint8Array | undefined {
  const entry = findEntry(header, tag, [binaryType]);
  return entry && bytesAt(header.store, entry.offset, entry.count);
}

function decodeEntry(bytes: Uint8Array, at: number): [tag: number, entry: HeaderEntry] {
  const type = bigEndian.u32(bytes, at + 4);
  const offset = bigEndian.u32(bytes, at + 8) | 0;
  return [bigEndian.u32(bytes, at) | 0, { type, offset, count: bigEndian.u32(bytes, at + 12) }];
}

function checkRegion(blob: Uint8Array, store: Uint8Array, entryCount: number): void {
  const [tag, region] = decodeEntry(blob, 8);
  if (!regionTags.includes(tag) || region.offset === 0) return;
  const [trailerTag, trailer] = decodeEntry(bytesAt(store, region.offset, entryBytes), 0);
  const regionEntries = -trailer.offset / entryBytes;
  const sound =
    [region, trailer].every((entry) => entry.type === binaryType && entry.count === entryBytes) &&
    regionTags.includes(trailerTag) &&
    Number.isInteger(regionEntries);
  if (!sound || regionEntries < 1 || regionEntries > entryCount) {
    throw malformedPackageDb(
      `expected a region of 1 to ${entryCount} entries with tag ${tag}, found one of ${regionEntries}`,
    );
  }
}

function findEntry({ entries }: RpmHeader, tag: number, types: readonly number[]): HeaderEntry | undefined {
  const entry = entries.get(tag);
  if (entry === undefined || types.includes(entry.type)) return entry;
  throw malformedPackageDb(`expected type ${types.join(" or ")} for tag ${tag}, found type ${entry.type}`);
}

function checkCount(count: number): void {
  if (count > maxValues) throw malformedPackageDb(`expected at most ${maxValues} values, found ${count}`);
}

function decodeNumbers({ store }: RpmHeader, { offset, count }: HeaderEntry): readonly number[] {
  checkCount(count);
  const content = bytesAt(store, offset, count * 4);
  return Array.from({ length: count }, (_, index) => bigEndian.u32(content, index * 4));
}

function decodeStrings({ store }: RpmHeader, { offset, count }: HeaderEntry): readonly string[] {
  checkCount(count);
  const strings: string[] = [];
  const decoder = new TextDecoder();
  let start = offset;
  while (strings.length < count) {
    const end = start < 0 ? -1 : store.indexOf(0, start);
    if (end < 0) throw malformedPackageDb(`expected ${count} texts at offset ${offset}, found ${strings.length}`);
    strings.push(end === start ? "" : decoder.decode(store.subarray(start, end)));
    start = end + 1;
  }
  return strings;
}
