import type { ReactNode } from "react";
import { MoreRows, useShownRows } from "./more-rows.tsx";

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
  /** What is said in place of a table without rows. */
  readonly empty?: string;
}

/** A table with a row for each thing; of very many, the first ones and how to see more. */
export function Table<Row>({ columns, rows, keyOf, empty }: Props<Row>) {
  const shown = useShownRows(rows);
  if (rows.length === 0 && empty !== undefined) return <p className="empty">{empty}</p>;
  return (
    <>
      <table>
        <TableHead columns={columns} />
        <tbody>
          {shown.rows.map((row, index) => (
            <TableRow key={keyOf(row, index)} columns={columns} row={row} />
          ))}
        </tbody>
      </table>
      <MoreRows {...shown} />
    </>
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
