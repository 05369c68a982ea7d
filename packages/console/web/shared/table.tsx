import type { ReactNode } from "react";
import { MoreRows, useShownRows } from "./more-rows.tsx";
import { TableFrame } from "./table-frame.tsx";

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
      <TableFrame>
        <table>
          <TableHead columns={columns} />
          <tbody>
            {shown.rows.map((row, index) => (
              <TableRow key={keyOf(row, index)} columns={columns} row={row} />
            ))}
          </tbody>
        </table>
      </TableFrame>
      <MoreRows {...shown} />
    </>
  );
}

/** The titles of columns. */
export function TableHead<Row>({ columns }: Pick<Props<Row>, "columns">) {
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
export function TableRow<Row>({ columns, row }: Pick<Props<Row>, "columns"> & { readonly row: Row }) {
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

function classOf({ isNumber, isText }: Pick<Column<never>, "isNumber" | "isText">): string | undefined {
  if (isNumber) return "number";
  return isText ? "text" : undefined;
}
