import type { ReactNode } from "react";

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Whether it has numbers, which are at the right. */
  readonly isNumber?: boolean;
  /** Whether it names the row, for screen readers. */
  readonly isName?: boolean;
  /** Whether it has sentences, which are broken anywhere where they are long. */
  readonly isText?: boolean;
  /** Whether a narrow table leaves it out: the details of a row have it too. */
  readonly isExtra?: boolean;
}

interface Columns<Row> {
  readonly columns: readonly Column<Row>[];
}

/** The titles of columns. */
export function TableHead<Row>({ columns }: Columns<Row>) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column.title} scope="col" className={classOf(column)}>
            {column.title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** The cells of one thing. */
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
