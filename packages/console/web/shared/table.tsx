import { type ReactNode, useEffect, useRef, useState } from "react";
import { MoreRows, useShownRows } from "./more-rows.tsx";
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

/** The frame of a table. A wider table scrolls in it, and the frame is then reachable by keyboard. */
export function TableFrame({ children }: { readonly children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const [isWide, setWide] = useState(false);
  useEffect(() => {
    const frame = place.current;
    if (frame === null) return;
    const observer = new ResizeObserver(() => setWide(frame.scrollWidth > frame.clientWidth));
    for (const each of [frame, ...frame.children]) observer.observe(each);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} className="table" tabIndex={isWide ? 0 : undefined}>
      {children}
    </div>
  );
}
