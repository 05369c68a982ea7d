import type { ReactNode } from "react";

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Whether it has numbers, which are at the right. */
  readonly isNumber?: boolean;
  /** Whether it names the row, for screen readers. */
  readonly isName?: boolean;
}

interface Props<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string;
}

/** A table with a row for each thing. */
export function Table<Row>({ columns, rows, keyOf }: Props<Row>) {
  return (
    <table>
      <TableHead columns={columns} />
      <tbody>
        {rows.map((row, index) => (
          <TableRow key={keyOf(row, index)} columns={columns} row={row} />
        ))}
      </tbody>
    </table>
  );
}

/** The titles of columns. */
export function TableHead<Row>({ columns }: Pick<Props<Row>, "columns">) {
  return (
    <thead>
      <tr>
        {columns.map(({ title, isNumber }) => (
          <th key={title} scope="col" className={isNumber ? "number" : undefined}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** The cells of one thing. */
export function TableRow<Row>({ columns, row }: Pick<Props<Row>, "columns"> & { readonly row: Row }) {
  return (
    <tr>
      {columns.map(({ title, cell, isNumber, isName }) => {
        const Cell = isName ? "th" : "td";
        return (
          <Cell key={title} scope={isName ? "row" : undefined} className={isNumber ? "number" : undefined}>
            {cell(row)}
          </Cell>
        );
      })}
    </tr>
  );
}
