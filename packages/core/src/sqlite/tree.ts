import { bigEndian, byteAt, bytesAt } from "../bytes/byte-order.ts";
import { type DamagedPart, damagedPart, malformedPackageDb } from "../bytes/malformed-package-db.ts";
import { noPageClaims, type PageClaims } from "../bytes/page-claims.ts";
import { fileHeaderBytes, type SqliteFile } from "./file.ts";
import { localPayloadBytes, readPayload } from "./payload.ts";
import { decodeLength, decodeRecord, type SqliteValue } from "./record.ts";
import { decodeVarint, type SqliteInteger } from "./varint.ts";

/** A row of a table. */
export interface SqliteRow {
  readonly kind: "row";
  readonly rowid: SqliteInteger;
  /** In the order of the columns; shorter than the table where columns were added later. */
  readonly values: readonly SqliteValue[];
}

/** SQLite's own limit: a tree of 20 levels would have more pages than a file can have. */
const maxDepth = 20;
const leafPage = 13;
const interiorPage = 5;

/**
 * The rows of the table whose b-tree begins at a page, in the order of their ids. Damage loses only the rows below
 * the damaged page, or the damaged row.
 *
 * ```text
 * page           u8 type: 5 interior, 13 leaf; u16 first free block, u16 cells, u16 content, u8 fragments,
 *                interior only: u32 last child; then u16 offset of each cell. On page 1 all this follows the file's header.
 * interior cell  u32 child, varint row id
 * leaf cell      varint length, varint row id, the record, u32 first overflow page when it does not fit
 * ```
 * @see https://www.sqlite.org/fileformat2.html#b_tree_pages
 */
export function* readTree(file: SqliteFile, rootPage: number): Generator<SqliteRow | DamagedPart> {
  yield* readBranch({ file, claims: noPageClaims() }, rootPage, 1);
}

interface Tree {
  readonly file: SqliteFile;
  readonly claims: PageClaims;
}

function* readBranch(tree: Tree, number: number, depth: number): Generator<SqliteRow | DamagedPart> {
  try {
    yield* readPage(tree, number, depth);
  } catch (error) {
    yield damagedPart(`page ${number}`, error);
  }
}

function* readPage(tree: Tree, number: number, depth: number): Generator<SqliteRow | DamagedPart> {
  if (depth > maxDepth) throw malformedPackageDb(`expected a tree of at most ${maxDepth} levels`);
  const page = bytesAt(tree.file.page(number), 0, tree.file.usableBytes);
  tree.claims.claim(number);
  const header = number === 1 ? fileHeaderBytes : 0;
  const type = byteAt(page, header);
  if (type === leafPage) {
    yield* readLeaf(tree, { page, header, number });
  } else if (type === interiorPage) {
    for (const cell of cellOffsets(page, header, header + 12)) {
      yield* readBranch(tree, bigEndian.u32(page, cell), depth + 1);
    }
    yield* readBranch(tree, bigEndian.u32(page, header + 8), depth + 1);
  } else {
    throw malformedPackageDb(`expected a page of a table (type 5 or 13), found type ${type}`);
  }
}

interface LeafPage {
  readonly page: Uint8Array;
  readonly header: number;
  readonly number: number;
}

function* readLeaf({ file, claims }: Tree, { page, header, number }: LeafPage): Generator<SqliteRow | DamagedPart> {
  let bytesLeft = page.length;
  for (const [index, offset] of cellOffsets(page, header, header + 8).entries()) {
    try {
      const cell = decodeLeafCell(page, offset);
      bytesLeft -= cell.offset - offset + localPayloadBytes(file.usableBytes, cell.length);
      if (bytesLeft < 0) break;
      const values = decodeRecord(readPayload(file, claims, cell), file.textEncoding);
      yield { kind: "row", rowid: cell.rowid, values };
    } catch (error) {
      yield damagedPart(`cell ${index} of page ${number}`, error);
    }
  }
  if (bytesLeft < 0) throw malformedPackageDb("the cells overlap");
}

function cellOffsets(page: Uint8Array, header: number, pointers: number): readonly number[] {
  const count = bigEndian.u16(page, header + 3);
  return Array.from({ length: count }, (_, index) => bigEndian.u16(page, pointers + 2 * index));
}

function decodeLeafCell(page: Uint8Array, start: number) {
  const length = decodeVarint(page, start);
  const rowid = decodeVarint(page, length.end);
  return { page, offset: rowid.end, length: decodeLength(length.value), rowid: rowid.value };
}
