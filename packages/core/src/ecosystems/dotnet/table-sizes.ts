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
export const assemblyTable = 0x20;

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
export interface HeapIndexes {
  readonly S: number;
  readonly G: number;
  readonly B: number;
}

/** The size of a row in bytes, for tables up to the assembly table. @param rows the number of rows of each table, by table number */
export function rowBytes(table: number, rows: readonly number[], heaps: HeapIndexes): number {
  return (tables[table] ?? []).reduce((sum, column) => sum + columnBytes(column, rows, heaps), 0);
}

function columnBytes(column: string, rows: readonly number[], heaps: HeapIndexes): number {
  if (column === "S" || column === "G" || column === "B") return heaps[column];
  if (column.length === 1) return Number(column);
  const [bits, targets] = codedIndexes.get(column) ?? [0, [Number.parseInt(column, 16)]];
  return targets.some((target) => (rows[target] ?? 0) >= 2 ** (16 - bits)) ? 4 : 2;
}
