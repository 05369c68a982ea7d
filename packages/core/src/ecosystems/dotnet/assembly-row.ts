/**
 * The name and version of an assembly in the metadata of the Common Language Infrastructure (all numbers little-endian):
 *
 * ```text
 * header   directory 14 of the PE file; at 8 u32 address and u32 bytes of the metadata
 * metadata "BSJB", 8 bytes, u32 bytes of a text, the text, u16 flags, u16 streams, the streams
 * stream   u32 offset in the metadata, u32 bytes, name with a zero byte at its end, padded to 4
 * "#~"     6 bytes, u8 large heaps (1: texts, 2: GUIDs, 4: blobs, 0x40: 4 more bytes), u8, u64 bit set of the present tables, u64,
 *          u32 rows of each, then the tables
 * assembly u32, u16 major, u16 minor, u16 build, u16 revision, u32 flags, blob, text name, text culture
 * ```
 * @see https://ecma-international.org/publications-and-standards/standards/ecma-335/ (II.22.2, II.24.2, II.25.3.3)
 */
import { byteAt, bytesAt, littleEndian } from "../../bytes/byte-order.ts";
import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import type { PeImage } from "../../programs/pe.ts";

const { u16, u32 } = littleEndian;
const cliDirectory = 14;
const magic = 0x424a_5342;

/** Ten times the largest metadata in .NET itself. */
const maxMetadataBytes = 64 * 1024 ** 2;
const maxVersionBytes = 256;
const maxStreams = 16;
const maxNameBytes = 1024;
const decoder = new TextDecoder();

/** The identity of an assembly. */
export interface AssemblyIdentity {
  readonly name: string;
  /** Four numbers. */
  readonly version: string;
  /** Empty for an assembly with code; the language of an assembly with only texts. */
  readonly culture: string;
}

/** Reads the identity of the assembly in a PE file; undefined for a native program or a part of an assembly. @throws ScanError `malformed_package_db` */
export function readAssembly(image: PeImage): AssemblyIdentity | undefined {
  const directory = image.directories[cliDirectory];
  if (directory === undefined || directory.address === 0) return undefined;
  const header = allBytesFrom(image, directory.address, 16);
  const metadata = bytesFrom(image, u32(header, 8), Math.min(maxMetadataBytes, u32(header, 12)));
  const streams = streamsOf(metadata);
  const [tables, texts] = [streams.get("#~") ?? streams.get("#-"), streams.get("#Strings")];
  if (tables === undefined || texts === undefined) throw malformedPackageDb("CLI metadata: expected tables and texts");
  return assemblyIn(tables, texts);
}

function streamsOf(metadata: Uint8Array): ReadonlyMap<string, Uint8Array> {
  if (u32(metadata, 0) !== magic) throw malformedPackageDb('CLI metadata: expected "BSJB", found something else');
  const versionBytes = u32(metadata, 12);
  if (versionBytes > maxVersionBytes)
    throw malformedPackageDb(`CLI metadata: found a version of ${versionBytes} bytes`);
  let at = 16 + versionBytes + 4;
  const count = u16(metadata, at - 2);
  if (count > maxStreams)
    throw malformedPackageDb(`CLI metadata: expected at most ${maxStreams} streams, found ${count}`);
  const streams = new Map<string, Uint8Array>();
  for (let index = 0; index < count; index++) {
    const name = textAt(metadata, at + 8);
    streams.set(name, bytesAt(metadata, u32(metadata, at), u32(metadata, at + 4)));
    at += 8 + Math.ceil((name.length + 1) / 4) * 4;
  }
  return streams;
}

function assemblyIn(tables: Uint8Array, texts: Uint8Array): AssemblyIdentity | undefined {
  const large = byteAt(tables, 6);
  const heaps: HeapIndexes = { S: large & 1 ? 4 : 2, G: large & 2 ? 4 : 2, B: large & 4 ? 4 : 2 };
  const rows: number[] = [];
  let at = 24;
  for (let table = 0; table < 64; table++) {
    const isPresent = (byteAt(tables, 8 + (table >> 3)) >> (table & 7)) & 1;
    rows.push(isPresent ? u32(tables, at) : 0);
    at += isPresent ? 4 : 0;
  }
  if (rows[assemblyTable] === 0) return undefined;
  at += large & 0x40 ? 4 : 0;
  for (let table = 0; table < assemblyTable; table++) at += (rows[table] ?? 0) * rowBytes(table, rows, heaps);
  const row = bytesAt(tables, at, rowBytes(assemblyTable, rows, heaps));
  const indexAt = (place: number) => (heaps.S === 4 ? u32(row, place) : u16(row, place));
  const nameAt = 16 + heaps.B;
  return {
    name: textAt(texts, indexAt(nameAt)),
    version: [4, 6, 8, 10].map((place) => u16(row, place)).join("."),
    culture: textAt(texts, indexAt(nameAt + heaps.S)),
  };
}

/** The text from `start` to the next zero byte. */
function textAt(bytes: Uint8Array, start: number): string {
  byteAt(bytes, start);
  const room = bytes.subarray(start, start + maxNameBytes);
  const end = room.indexOf(0);
  if (end < 0)
    throw malformedPackageDb(`CLI metadata: expected a string of less than ${maxNameBytes} bytes at ${start}`);
  return decoder.decode(room.subarray(0, end));
}

/**
 * The sizes of rows in the tables of CLI metadata, up to the assembly table. Each table is a text with one word per column:
 *
 * ```text
 * digit          bytes of a number
 * S, G, B        index into the heap of texts, of GUIDs, of blobs: 2 bytes, or 4 if the heap is large
 * two hex digits index of a row of that table: 2 bytes, or 4 if it has 65,536 rows or more
 * a name         index of a row of one of several tables; its lowest bits select the table
 * ```
 * @see https://ecma-international.org/publications-and-standards/standards/ecma-335/ (II.22, II.24.2.6)
 */
const assemblyTable = 0x20;

const tables = [
  ["2 S G G G", "scope S S", "4 S S type 04 06", "04", "2 S B", "06", "4 2 2 S B 08", "08"],
  ["2 2 S", "02 type", "parent S B", "2 constant B", "attribute method B", "marshal B", "2 security B", "2 4 02"],
  ["4 04", "B", "02 14", "14", "2 S type", "02 17", "17", "2 S B"],
  ["2 06 semantics", "02 body body", "S", "B", "2 member S 1A", "4 04", "4 4", "4"],
  ["4 2 2 2 2 4 B S S"],
]
  .flat()
  .map((columns) => columns.split(" "));

/** For each name: the number of bits that select the table, and the tables. */
const codedIndexes: ReadonlyMap<string, readonly [bits: number, tables: readonly number[]]> = new Map([
  ["type", [2, [0x02, 0x01, 0x1b]]],
  ["constant", [2, [0x04, 0x08, 0x17]]],
  [
    "attribute",
    [
      5,
      [
        ...[0x06, 0x04, 0x01, 0x02, 0x08, 0x09, 0x0a, 0x00, 0x0e, 0x17, 0x14, 0x11],
        ...[0x1a, 0x1b, 0x20, 0x23, 0x26, 0x27, 0x28, 0x2a, 0x2c, 0x2b],
      ],
    ],
  ],
  ["marshal", [1, [0x04, 0x08]]],
  ["security", [2, [0x02, 0x06, 0x20]]],
  ["parent", [3, [0x02, 0x01, 0x1a, 0x06, 0x1b]]],
  ["semantics", [1, [0x14, 0x17]]],
  ["body", [1, [0x06, 0x0a]]],
  ["member", [1, [0x04, 0x06]]],
  ["method", [3, [0x06, 0x0a]]],
  ["scope", [2, [0x00, 0x1a, 0x23, 0x01]]],
]);

/** The size of an index into each heap, in bytes. */
interface HeapIndexes {
  readonly S: number;
  readonly G: number;
  readonly B: number;
}

/** The size of a row in bytes, for tables up to the assembly table. @param rows the number of rows of each table, by table number */
function rowBytes(table: number, rows: readonly number[], heaps: HeapIndexes): number {
  return (tables[table] ?? []).reduce((sum, column) => sum + columnBytes(column, rows, heaps), 0);
}

function columnBytes(column: string, rows: readonly number[], heaps: HeapIndexes): number {
  if (column === "S" || column === "G" || column === "B") return heaps[column];
  if (column.length === 1) return Number(column);
  const [bits, targets] = codedIndexes.get(column) ?? [0, [Number.parseInt(column, 16)]];
  return targets.some((target) => (rows[target] ?? 0) >= 2 ** (16 - bits)) ? 4 : 2;
}

/**
 * Bytes of a PE file from an address relative to its base, as its sections map it; fewer than `maxBytes` if the section ends before.
 * @throws ScanError `malformed_package_db` if no section has the address, or the file ends before
 */
export function bytesFrom({ program, base }: PeImage, address: number, maxBytes: number): Uint8Array {
  const place = base + address;
  const section = program.sections.find((each) => each.address <= place && place < each.address + each.sizeBytes);
  if (section === undefined) throw malformedPackageDb(`PE: expected a section with address ${address}, found none`);
  const within = place - section.address;
  return bytesAt(program.bytes, section.offset + within, Math.min(maxBytes, section.sizeBytes - within));
}

/** Like {@link bytesFrom}, exactly `length` bytes. @throws ScanError `malformed_package_db` if the section has fewer */
function allBytesFrom(image: PeImage, address: number, length: number): Uint8Array {
  const bytes = bytesFrom(image, address, length);
  if (bytes.length === length) return bytes;
  throw malformedPackageDb(`PE: expected ${length} bytes at address ${address}, found ${bytes.length}`);
}
