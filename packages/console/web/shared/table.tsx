import { MoreRows, useShownRows } from "./more-rows.tsx";
import { TableFrame } from "./table-frame.tsx";
import { type Column, TableHead, TableRow } from "./table-row.tsx";

interface Props<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string;
  /** The text shown instead of a table without rows. */
  readonly empty?: string;
}

/** A table. Of very many rows, it shows the first and a button for more. */
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
