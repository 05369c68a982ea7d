import { type ByteOrder, bigEndian, bytesAt, littleEndian } from "../bytes/byte-order.ts";
import type { ByteParts } from "../bytes/byte-parts.ts";
import { malformedPackageDb } from "../bytes/malformed-package-db.ts";
import type { Segment } from "./program.ts";

/**
 * The beginning of an ELF file and its segments.
 *
 * ```text
 * head     u32 0x7f "ELF", u8 class (1: 32 bits, 2: 64), u8 byte order (1: little-endian); then, at 32 or 64 bits:
 *          at 28 u32 or 32 u64 offset of the segments; at 32 u32 or 40 u64 offset of the sections;
 *          at 42 or 54 u16 size of a segment's header, u16 segments, u16 size of a section's header, u16 sections,
 *          u16 section with the names
 * segment  u32 type (1: loaded); at 4 u32 or 8 u64 offset; at 8 u32 or 16 u64 address; at 16 u32 or 32 u64 bytes in the
 *          file; at 24 or 4 u32 flags (1: executable, 2: writable)
 * ```
 * @see https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html
 */
const headBytes = { narrow: 52, wide: 64 };
const loadSegment = 1;
const [executable, writable] = [1, 2];
/** Far more headers of one kind than any linker writes. */
const maxHeaders = 100_000;

/** The first four bytes, as a big-endian number. */
export const elfMagic = 0x7f454c46;

/** A table of headers. */
export interface HeaderTable {
  readonly offset: number;
  readonly entryBytes: number;
  readonly count: number;
}

/** The fields of the ELF header. */
export interface ElfHead {
  readonly order: ByteOrder;
  readonly isWide: boolean;
  readonly segments: HeaderTable;
  readonly sections: HeaderTable;
  /** The index of the section with the names of sections. */
  readonly namesIndex: number;
}

/** Reads the ELF header. @throws ScanError `malformed_package_db` if it is incomplete */
export function readElfHead(bytes: ByteParts): ElfHead {
  const isWide = bytesAt(bytes, 0, 16)[4] === 2;
  const head = bytesAt(bytes, 0, isWide ? headBytes.wide : headBytes.narrow);
  const order = head[5] === 2 ? bigEndian : littleEndian;
  const counts = isWide ? 54 : 42;
  const table = (offset: number, at: number): HeaderTable => {
    return { offset, entryBytes: order.u16(head, at), count: order.u16(head, at + 2) };
  };
  return {
    order,
    isWide,
    segments: table(isWide ? order.u64(head, 32) : order.u32(head, 28), counts),
    sections: table(isWide ? order.u64(head, 40) : order.u32(head, 32), counts + 4),
    namesIndex: order.u16(head, counts + 8),
  };
}

/** Reads the segments that are loaded. @throws ScanError `malformed_package_db` if their headers are not in the bytes */
export function readElfSegments(bytes: ByteParts, { order, isWide, segments }: ElfHead): readonly Segment[] {
  const { u32, u64 } = order;
  return readHeaders(bytes, segments, isWide ? 56 : 32).flatMap((header) => {
    if (u32(header, 0) !== loadSegment) return [];
    const flags = u32(header, isWide ? 4 : 24);
    return {
      offset: isWide ? u64(header, 8) : u32(header, 4),
      address: isWide ? u64(header, 16) : u32(header, 8),
      sizeBytes: isWide ? u64(header, 32) : u32(header, 16),
      isWritable: (flags & writable) !== 0,
      isExecutable: (flags & executable) !== 0,
    };
  });
}

/** Reads the headers of a table, each of at least `minBytes`. @throws ScanError `malformed_package_db` */
export function readHeaders(bytes: ByteParts, table: HeaderTable, minBytes: number): readonly Uint8Array[] {
  const { offset, entryBytes, count } = table;
  if (count === 0) return [];
  if (count > maxHeaders) throw malformedPackageDb(`ELF: expected at most ${maxHeaders} headers, found ${count}`);
  if (entryBytes < minBytes) {
    throw malformedPackageDb(`ELF: expected headers of at least ${minBytes} bytes, found ${entryBytes}`);
  }
  const all = bytesAt(bytes, offset, entryBytes * count);
  return Array.from({ length: count }, (_, index) => all.subarray(index * entryBytes, (index + 1) * entryBytes));
}
