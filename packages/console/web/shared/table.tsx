import { type ReactNode, useEffect, useRef, useState } from "react";
import { texts } from "../texts/texts.ts";
import { MoreRows, useShownRows } from "./more-rows.tsx";
import { type Column, roles, TableHead, TableRow } from "./table-row.tsx";

const words = texts.choice;

interface Props<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string;
  /** The text shown instead of a table without rows. */
  readonly empty?: string;
  /** What can be done with several rows at once. */
  readonly choice?: Choice<Row>;
}

/** What can be done with chosen rows. */
interface Choice<Row> {
  /** Whether a row can be chosen. */
  readonly mayChoose: (row: Row) => boolean;
  /** The buttons, which are shown while rows are chosen. */
  readonly actions: (chosen: readonly Row[]) => ReactNode;
}

/** A table. Of very many rows, it shows the first and a button for more. */
export function Table<Row>({ columns: own, rows, keyOf, empty, choice }: Props<Row>) {
  const shown = useShownRows(rows);
  const { column, chosen } = useChosen(shown.rows, { keyOf, choice });
  if (rows.length === 0 && empty !== undefined) return <p className="empty">{empty}</p>;
  const columns = column === undefined ? own : [column, ...own];
  return (
    <>
      {chosen.length > 0 && (
        <div className="actions chosen">
          <span role="status">{words.some(chosen.length)}</span>
          {choice?.actions(chosen)}
        </div>
      )}
      <TableFrame>
        <TableHead columns={columns} />
        <tbody>
          {shown.rows.map((row, index) => (
            <TableRow key={keyOf(row, index)} columns={columns} row={row} />
          ))}
        </tbody>
      </TableFrame>
      <MoreRows {...shown} />
    </>
  );
}

/** The rows that are chosen, of those that are shown, and the column in which they are chosen. */
function useChosen<Row>(
  rows: readonly Row[],
  { keyOf, choice }: Pick<Props<Row>, "keyOf" | "choice">,
): { readonly column?: Column<Row>; readonly chosen: readonly Row[] } {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  if (choice === undefined) return { chosen: [] };
  const keyOfRow = new Map(rows.map((row, index) => [row, keyOf(row, index)]));
  const free = rows.filter(choice.mayChoose);
  const isChosen = (row: Row) => keys.has(keyOfRow.get(row) ?? "");
  const chosen = free.filter(isChosen);
  const choose = (some: readonly Row[]) => setKeys(new Set(some.map((row) => keyOfRow.get(row) ?? "")));
  const isAll = free.length > 0 && chosen.length === free.length;
  const column: Column<Row> = {
    title: words.title,
    isChoice: true,
    head: (
      <input
        type="checkbox"
        aria-label={words.all}
        checked={isAll}
        disabled={free.length === 0}
        onChange={() => choose(isAll ? [] : free)}
      />
    ),
    cell: (row) =>
      choice.mayChoose(row) && (
        <input
          type="checkbox"
          aria-label={keyOfRow.get(row)}
          checked={isChosen(row)}
          onChange={() => choose(isChosen(row) ? chosen.filter((each) => each !== row) : [...chosen, row])}
        />
      ),
  };
  return { column, chosen };
}

/** A table in its frame, of a head and bodies. A wider table scrolls in the frame, which is then reachable by keyboard. */
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
      <table role={roles.table}>{children}</table>
    </div>
  );
}
