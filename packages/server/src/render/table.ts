import { columnsOf, cutTo, padTo } from "./terminal-text.ts";

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  text(row: Row): string;
  /** Colours a cell after it was padded. */
  readonly style?: (text: string, row: Row) => string;
}

const gap = "  ";

/**
 * Lays rows out in columns as wide as their widest cell; the last column gets what is left of `width` and is cut there.
 * An absent width cuts nothing.
 */
export function* layOutTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width?: number,
): Iterable<string> {
  const cells = rows.map((row) => columns.map((column) => column.text(row)));
  const widths = columns.map((column, index) =>
    cells.reduce((widest, line) => Math.max(widest, columnsOf(line[index] ?? "")), columnsOf(column.title)),
  );
  const last = columns.length - 1;
  const before = widths.slice(0, last).reduce((sum, columnWidth) => sum + columnWidth + gap.length, 0);
  const room = width === undefined ? Number.POSITIVE_INFINITY : Math.max(12, width - before);
  const fit = (text: string, index: number) => (index === last ? cutTo(text, room) : padTo(text, widths[index] ?? 0));
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
