import { columnsOf, cutTo, padTo } from "./terminal-text.ts";

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  text(row: Row): string;
  /** The least width when the table is too wide. Without it, cells are not shortened, except in the last column. */
  readonly least?: number;
  /** Colours a cell after padding. */
  readonly style?: (text: string, row: Row) => string;
}

const gap = "  ";
const leastOfLast = 12;
/** Without a width, wider cells make no room in the lines of others. */
const widestPadding = 100;

/**
 * Lays out rows in columns as wide as their widest cell. If the table is wider than `width`, the widest of the columns that may be
 * shortened are shortened first. Without a width, nothing is shortened, and a cell of more than a hundred columns moves only what follows it in its line.
 */
export function* layOutTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width?: number,
): Iterable<string> {
  const cells = rows.map((row) => columns.map((column) => column.text(row)));
  const natural = columns.map((column, index) =>
    cells.reduce((widest, line) => {
      const own = columnsOf(line[index] ?? "");
      return own > widest && (width !== undefined || own <= widestPadding) ? own : widest;
    }, columnsOf(column.title)),
  );
  const widths = width === undefined ? natural : narrowed(columns, natural, width);
  const fit = (text: string, index: number) => {
    const room = widths[index] ?? 0;
    return width === undefined && columnsOf(text) > room ? text : padTo(cutTo(text, room), room);
  };
  yield columns
    .map((column, index) => fit(column.title, index))
    .join(gap)
    .trimEnd();
  for (const [line, row] of rows.entries()) {
    const styled = columns.map((column, index) => {
      const text = fit(cells[line]?.[index] ?? "", index);
      return column.style === undefined ? text : column.style(text, row);
    });
    yield styled.join(gap).trimEnd();
  }
}

function narrowed<Row>(columns: readonly Column<Row>[], natural: readonly number[], width: number): readonly number[] {
  const least = columns.map(({ least }, index) => least ?? (index === columns.length - 1 ? leastOfLast : undefined));
  const widths = [...natural];
  let tooWide = widths.reduce((sum, each) => sum + each, gap.length * (columns.length - 1)) - width;
  for (; tooWide > 0; tooWide--) {
    const room = widths.map((each, index) => (each > (least[index] ?? each) ? each : 0));
    const widest = Math.max(...room);
    if (widest === 0) return widths;
    widths[room.indexOf(widest)] = widest - 1;
  }
  return widths;
}
