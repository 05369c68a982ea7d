import type { ReactNode } from "react";

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  /** What the head of the column has in place of its title. */
  readonly head?: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** Whether the cells are numbers, which are aligned to the right. */
  readonly isNumber?: boolean;
  /** Whether the cells name their rows, for screen readers. */
  readonly isName?: boolean;
  /** Whether the cells are long texts, which may break anywhere. */
  readonly isText?: boolean;
  /** Whether a narrow table hides the column: the details of a row, or the page that it links to, show the value too. */
  readonly isExtra?: boolean;
}

interface Columns<Row> {
  readonly columns: readonly Column<Row>[];
}

/** The head of a table. */
export function TableHead<Row>({ columns }: Columns<Row>) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column.title} scope="col" className={classOf(column)}>
            {column.head ?? column.title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** A row of a table. */
export function TableRow<Row>({ columns, row }: Columns<Row> & { readonly row: Row }) {
  return (
    <tr>
      {columns.map((column) => {
        const { title, cell, isName } = column;
        const Cell = isName ? "th" : "td";
        return (
          <Cell key={title} scope={isName ? "row" : undefined} className={classOf(column)}>
            {cell(row)}
          </Cell>
        );
      })}
    </tr>
  );
}

function classOf({ isNumber, isText, isExtra }: Omit<Column<never>, "title" | "cell">): string | undefined {
  if (isExtra) return "extra";
  if (isNumber) return "number";
  return isText ? "text" : undefined;
}
