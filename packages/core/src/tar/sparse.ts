/**
 * Sparse files: only the segments between the holes are stored. A sparse map contains the offset and length of each segment.
 *
 *     GNU type S    4 segments in the header at 386, "more follow" at 482, real size at 483;
 *                   then blocks of 21 segments with "more follow" at 504. Numbers are 12-byte header fields.
 *     pax 0.0       repeated records GNU.sparse.offset and GNU.sparse.numbytes
 *     pax 0.1       GNU.sparse.map=offset,length,offset,length,…
 *     pax 1.0       before the stored segments: COUNT LF *( OFFSET LF LENGTH LF ), padded to whole blocks
 *
 * @see https://www.gnu.org/software/tar/manual/html_node/Sparse-Formats.html
 */
import { ScanError } from "../errors.ts";
import { blockBytes } from "./header.ts";
import { readDecimal, readNumber } from "./numbers.ts";
import { type PaxRecords, paxNumber, paxText } from "./pax.ts";

/** Offset, length, offset, length … of the stored segments in the file. */
export type SparseMap = readonly number[];

/** The size and sparse map of a file. */
export interface Sparse {
  readonly realBytes: number;
  /** Undefined when the map is stored before the segments (pax 1.0). */
  readonly map: SparseMap | undefined;
}

const numberLength = 12;
const headerSegments = { offset: 386, count: 4 };
const extensionSegments = { offset: 0, count: 21 };
const lineFeed = 0x0a;
/** The maximal number of segments in a map before the stored segments; more would only cost memory. */
const maxLeadingSegments = 1_000_000;

/** The real size and the first segments of a type `S` header. @throws ScanError `malformed_archive` */
export function readSparseHeader(block: Uint8Array, at: number): { realBytes: number; map: number[]; more: boolean } {
  const realBytes = readNumber(block, 483, numberLength);
  if (realBytes === undefined) throw malformed(at, "its real size is not a number");
  return { realBytes, map: readSegments(block, headerSegments, at), more: block[482] === 1 };
}

/** The further segments of one extension block. @throws ScanError `malformed_archive` */
export function readSparseExtension(block: Uint8Array, at: number): { map: number[]; more: boolean } {
  return { map: readSegments(block, extensionSegments, at), more: block[504] === 1 };
}

/** The size and sparse map in pax records; undefined when the entry is not a sparse file. @throws ScanError `malformed_archive` */
export function readPaxSparse(records: PaxRecords, at: number): Sparse | undefined {
  const realBytes = paxNumber(records, "GNU.sparse.realsize", at) ?? paxNumber(records, "GNU.sparse.size", at);
  if (realBytes === undefined) return undefined;
  if (paxText(records, "GNU.sparse.major") === "1") return { realBytes, map: undefined };
  const texts = paxText(records, "GNU.sparse.map")?.split(",") ?? records.sparseNumbers;
  return { realBytes, map: texts.map((text) => decimal(text, at)) };
}

/**
 * Expands stored segments to the content with its holes. The caller has checked `realBytes` against its limits.
 * @throws ScanError `malformed_archive` when the map does not fit the sizes
 */
export function expandSparse(stored: Uint8Array, sparse: Sparse, at: number): Uint8Array {
  const { map, start } = sparse.map ? { map: sparse.map, start: 0 } : readLeadingMap(stored, at);
  if (map.length % 2 !== 0) throw malformed(at, "its map lacks the length of the last segment");
  const content = new Uint8Array(sparse.realBytes);
  let from = start;
  let filled = 0;
  for (let index = 0; index < map.length; index += 2) {
    const [offset = 0, length = 0] = [map[index], map[index + 1]];
    if (offset < filled || offset + length > content.length || from + length > stored.length) {
      throw malformed(at, `segment ${index / 2} (${length} bytes at ${offset}) does not fit`);
    }
    content.set(stored.subarray(from, from + length), offset);
    from += length;
    filled = offset + length;
  }
  return content;
}

function readSegments(block: Uint8Array, place: { offset: number; count: number }, at: number): number[] {
  const map: number[] = [];
  for (let index = 0; index < place.count; index++) {
    const offset = place.offset + index * 2 * numberLength;
    if (block[offset] === 0) break; // an unused slot
    const pair = [readNumber(block, offset, numberLength), readNumber(block, offset + numberLength, numberLength)];
    for (const value of pair) {
      if (value === undefined) throw malformed(at, `segment ${index} is not a number`);
      map.push(value);
    }
  }
  return map;
}

function readLeadingMap(stored: Uint8Array, at: number): { map: number[]; start: number } {
  let position = 0;
  const next = (): number => {
    const end = stored.indexOf(lineFeed, position);
    if (end < 0) throw malformed(at, "its map is cut off");
    const text = String.fromCharCode(...stored.subarray(position, Math.min(end, position + 20)));
    position = end + 1;
    return decimal(text, at);
  };
  const segments = next();
  if (segments > maxLeadingSegments) throw malformed(at, `its map has more than ${maxLeadingSegments} segments`);
  const map: number[] = [];
  for (let numbers = 2 * segments; numbers > 0; numbers--) map.push(next());
  return { map, start: Math.ceil(position / blockBytes) * blockBytes };
}

function decimal(text: string, at: number): number {
  const value = readDecimal(text);
  if (value === undefined) throw malformed(at, `its map has ${JSON.stringify(text.slice(0, 20))} instead of a number`);
  return value;
}

function malformed(at: number, what: string): ScanError {
  return new ScanError("malformed_archive", `sparse file at byte ${at}: ${what}`);
}
