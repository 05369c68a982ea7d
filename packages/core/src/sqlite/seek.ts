import { bigEndian, byteAt, bytesAt } from "../bytes/byte-order.ts";
import { malformedPackageDb } from "../bytes/malformed-package-db.ts";
import { noPageClaims, type PageClaims } from "../bytes/page-claims.ts";
import { fileHeaderBytes, type SqliteFile } from "./file.ts";
import { localPayloadBytes, readPayload } from "./payload.ts";
import { decodeLength, decodeRecord, type SqliteValue } from "./record.ts";
import { decodeVarint, type SqliteInteger } from "./varint.ts";

/** Where the entry that is looked for lies from an entry of the index: before it, at it, or after it. */
export type SeekOrder = (values: readonly SqliteValue[]) => number;

const maxDepth = 20; // SQLite's own limit
const pageKinds = { tableLeaf: 13, tableInterior: 5, indexLeaf: 10, indexInterior: 2 } as const;

/**
 * The values of a table's row by its id; undefined if the table has no such row. Reads one page of each level of the tree.
 * @throws ScanError `malformed_package_db`
 */
export function findRow(file: SqliteFile, rootPage: number, rowid: SqliteInteger): readonly SqliteValue[] | undefined {
  const claims = noPageClaims();
  for (let number = rootPage, depth = 1; ; depth++) {
    const page = openPage(file, { number, depth, claims });
    if (page.type === pageKinds.tableLeaf) return findInLeaf(file, page, rowid);
    if (page.type !== pageKinds.tableInterior) throw wrongType("a table", page.type);
    const at = firstIndex(page.cells, (cell) => decodeVarint(page.bytes, cell + 4).value >= rowid);
    number = childOf(page, at);
  }
}

/**
 * The highest id of a table's rows; 0 if it has none. Reads one page of each level of the tree.
 * @throws ScanError `malformed_package_db`
 */
export function lastRowId(file: SqliteFile, rootPage: number): SqliteInteger {
  const claims = noPageClaims();
  for (let number = rootPage, depth = 1; ; depth++) {
    const page = openPage(file, { number, depth, claims });
    const last = page.cells.at(-1);
    if (page.type === pageKinds.tableLeaf) {
      return last === undefined ? 0 : decodeVarint(page.bytes, decodeVarint(page.bytes, last).end).value;
    }
    if (page.type !== pageKinds.tableInterior) throw wrongType("a table", page.type);
    number = childOf(page, page.cells.length);
  }
}

/**
 * The entries of an index for which `order` is 0, in the order of the index: the columns, and the row's id as the last value.
 *
 * ```text
 * interior cell  u32 child, varint length, the record, u32 first overflow page when it does not fit
 * leaf cell      varint length, the record, u32 first overflow page when it does not fit
 * ```
 * @param order negative where the wanted entries come before the given one; entries with equal results are neighbours
 * @see https://www.sqlite.org/fileformat2.html#b_tree_pages
 * @throws ScanError `malformed_package_db`
 */
export function* seekIndex(
  file: SqliteFile,
  rootPage: number,
  order: SeekOrder,
): Generator<readonly SqliteValue[], undefined> {
  yield* seekPage({ file, order, claims: noPageClaims() }, rootPage, 1);
}

interface IndexSeek {
  readonly file: SqliteFile;
  readonly order: SeekOrder;
  readonly claims: PageClaims;
}

function* seekPage(seek: IndexSeek, number: number, depth: number): Generator<readonly SqliteValue[], undefined> {
  const page = openPage(seek.file, { number, depth, claims: seek.claims });
  const isLeaf = page.type === pageKinds.indexLeaf;
  if (!isLeaf && page.type !== pageKinds.indexInterior) throw wrongType("an index", page.type);
  const valuesOf = (cell: number) => indexRecord(seek, page.bytes, isLeaf ? cell : cell + 4);
  let at = firstIndex(page.cells, (cell) => seek.order(valuesOf(cell)) <= 0);
  for (; ; at++) {
    if (!isLeaf) yield* seekPage(seek, childOf(page, at), depth + 1);
    const cell = page.cells[at];
    if (cell === undefined) return;
    const values = valuesOf(cell);
    if (seek.order(values) !== 0) return;
    yield values;
  }
}

interface TreePage {
  readonly type: number;
  readonly bytes: Uint8Array;
  readonly header: number;
  /** The offsets of the cells. */
  readonly cells: readonly number[];
}

interface PageVisit {
  readonly number: number;
  readonly depth: number;
  readonly claims: PageClaims;
}

function openPage(file: SqliteFile, { number, depth, claims }: PageVisit): TreePage {
  if (depth > maxDepth) throw malformedPackageDb(`expected a tree of at most ${maxDepth} levels`);
  claims.claim(number);
  const bytes = bytesAt(file.page(number), 0, file.usableBytes);
  const header = number === 1 ? fileHeaderBytes : 0;
  const type = byteAt(bytes, header);
  const isInterior = type === pageKinds.tableInterior || type === pageKinds.indexInterior;
  const pointers = header + (isInterior ? 12 : 8);
  const count = bigEndian.u16(bytes, header + 3);
  const cells = Array.from({ length: count }, (_, index) => bigEndian.u16(bytes, pointers + 2 * index));
  return { type, bytes, header, cells };
}

/** The page below an interior page that has what comes before its cell `at`; the last child after all cells. */
function childOf({ bytes, header, cells }: TreePage, at: number): number {
  return bigEndian.u32(bytes, cells[at] ?? header + 8);
}

function findInLeaf(file: SqliteFile, { bytes, cells }: TreePage, rowid: SqliteInteger) {
  const headOf = (cell: number) => {
    const length = decodeVarint(bytes, cell);
    return { length: length.value, rowid: decodeVarint(bytes, length.end) };
  };
  const cell = cells[firstIndex(cells, (each) => headOf(each).rowid.value >= rowid)];
  if (cell === undefined) return undefined;
  const head = headOf(cell);
  if (head.rowid.value !== rowid) return undefined;
  const leaf = { page: bytes, offset: head.rowid.end, length: decodeLength(head.length) };
  return decodeRecord(readPayload(file, noPageClaims(), leaf), file.textEncoding);
}

function indexRecord({ file }: IndexSeek, page: Uint8Array, offset: number): readonly SqliteValue[] {
  const { value, end } = decodeVarint(page, offset);
  const length = decodeLength(value);
  const local = localPayloadBytes(file.usableBytes, length, "index");
  return decodeRecord(readPayload(file, noPageClaims(), { page, offset: end, length, local }), file.textEncoding);
}

/** The first index for which a condition holds that holds for all later ones, too; the length if it holds for none. */
function firstIndex(cells: readonly number[], holds: (cell: number) => boolean): number {
  let [low, high] = [0, cells.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(cells[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function wrongType(expected: string, type: number) {
  return malformedPackageDb(`expected a page of ${expected}, found type ${type}`);
}
