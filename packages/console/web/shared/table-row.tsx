import type { ReactNode } from "react";

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  /** What the head of the column has in place of its title. */
  readonly head?: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** The value in a file, where the cell is not a text itself. */
  readonly text?: (row: Row) => string;
  /** Whether the cells are numbers, which are aligned to the right. */
  readonly isNumber?: boolean;
  /** Whether the cells name their rows, for screen readers. */
  readonly isName?: boolean;
  /** Whether the cells are long texts, which may break anywhere. */
  readonly isText?: boolean;
  /** Whether a narrow table hides the column: the details of a row, or the page that it links to, show the value too. */
  readonly isExtra?: boolean;
  /** The name of the column in the orders of the list, with `-` before it if the largest is to be first: see `useOrder`. */
  readonly order?: string;
  readonly sorted?: "ascending" | "descending";
  /** Whether the cells have nothing but a checkbox that chooses the row. */
  readonly isChoice?: boolean;
}

interface Columns<Row> {
  readonly columns: readonly Column<Row>[];
}

/** The roles that parts of a table have of themselves, written out: some browsers forget them where rows are shown as cards. */
export const roles = { table: "table", row: "row", title: "columnheader", name: "rowheader", cell: "cell" } as const;

/** The head of a table. */
export function TableHead<Row>({ columns }: Columns<Row>) {
  return (
    <thead>
      <tr role={roles.row}>
        {columns.map((column) => (
          <th key={column.title} scope="col" role={roles.title} aria-sort={column.sorted} className={classOf(column)}>
            {column.head ?? column.title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface RowProps<Row> extends Columns<Row> {
  readonly row: Row;
  /** The table of a report has no cards, whose cells show the titles of their columns, and is as short as it can be. */
  readonly narrow?: "cards" | "scrolls";
}

/** A row of a table. */
export function TableRow<Row>({ columns, row, narrow = "cards" }: RowProps<Row>) {
  const isCard = narrow === "cards";
  return (
    <tr role={isCard ? roles.row : undefined}>
      {columns.map((column) => {
        const { title, cell, isName, isChoice } = column;
        const Cell = isName ? "th" : "td";
        return (
          <Cell
            key={title}
            scope={isName ? "row" : undefined}
            role={isCard ? roles[isName ? "name" : "cell"] : undefined}
            className={classOf(column)}
            data-title={isCard && !isChoice ? title : undefined}
          >
            {cell(row)}
          </Cell>
        );
      })}
    </tr>
  );
}

function classOf({ isNumber, isText, isExtra, isChoice }: Omit<Column<never>, "title" | "cell">): string | undefined {
  if (isChoice) return "choose";
  if (isExtra) return "extra";
  if (isNumber) return "number";
  return isText ? "text" : undefined;
}
