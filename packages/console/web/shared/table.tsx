import { Fragment, type ReactNode, useEffect, useRef, useState } from "react";
import { useOneAtATime } from "../api/use-one-at-a-time.ts";
import { texts } from "../texts/texts.ts";
import { Failure } from "./failure.tsx";
import { MoreRows, useShownRows } from "./more-rows.tsx";
import { saveCsv } from "./save-file.ts";
import type { Order } from "./search-param.ts";
import { type Column, roles, TableHead, TableRow } from "./table-row.tsx";
import { formatCount } from "./units.ts";

const words = texts.choice;

interface Props<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string;
  /** The text shown instead of a table without rows. */
  readonly empty?: string;
  /** What can be done with several rows at once. */
  readonly choice?: Choice<Row>;
  /** The order of the list: the heads of columns that it can be ordered by are buttons. */
  readonly order?: Order;
  readonly file?: File<Row>;
  /** How many rows the list has on all pages, if the registry counted them. */
  readonly total?: number | undefined;
  /** What is shown below a row, if anything is. */
  readonly details?: (row: Row) => ReactNode;
}

/** The file in which the rows can be saved, as CSV. */
interface File<Row> {
  /** Without the ending. */
  readonly name: string;
  /** The rows of the whole list, where the table has only some of its pages. */
  readonly all?: () => Promise<readonly Row[]>;
}

/** What can be done with chosen rows. */
interface Choice<Row> {
  /** Whether a row can be chosen. */
  readonly mayChoose?: (row: Row) => boolean;
  /** The name of a row, for screen readers; its key where absent. */
  readonly nameOf?: (row: Row) => string;
  /** The buttons, which are shown while rows are chosen. */
  readonly actions: (chosen: readonly Row[]) => ReactNode;
}

/** A table. Of very many rows, it shows the first and a button for more. */
export function Table<Row>({ columns: own, rows, keyOf, empty, choice, order, file, total, details }: Props<Row>) {
  const shown = useShownRows(rows);
  const { column, actions } = useChosen(shown.rows, { keyOf, choice });
  if (rows.length === 0 && empty !== undefined) return <p className="empty">{empty}</p>;
  const ordered = order === undefined ? own : own.map((each) => withOrder(each, order));
  const columns = column === undefined ? ordered : [column, ...ordered];
  return (
    <>
      {actions}
      <TableFrame>
        <TableHead columns={columns} />
        <tbody>
          {shown.rows.map((row, index) => {
            const below = details?.(row);
            return (
              <Fragment key={keyOf(row, index)}>
                <TableRow columns={columns} row={row} />
                {below !== undefined && (
                  <tr role={roles.row}>
                    <td role={roles.cell} colSpan={columns.length}>
                      {below}
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </TableFrame>
      {total !== undefined && <p className="total">{words.counted(formatCount(rows.length), formatCount(total))}</p>}
      <MoreRows {...shown} />
      {file !== undefined && <SaveRows columns={own} rows={rows} file={file} />}
    </>
  );
}

interface SaveProps<Row> extends Pick<Props<Row>, "columns" | "rows"> {
  readonly file: File<Row>;
}

/** The button that saves the rows of a list in a file. */
function SaveRows<Row>({ columns, rows, file: { name, all = async () => rows } }: SaveProps<Row>) {
  const saving = useOneAtATime({ mutationFn: async () => saveCsv(name, tableOf(columns, await all())) });
  return (
    <div className="actions">
      <button type="button" className="quiet" disabled={saving.isPending} onClick={() => saving.mutate(undefined)}>
        {words.save}
      </button>
      {saving.isError && <Failure error={saving.error} />}
    </div>
  );
}

/** The titles and the texts of the columns that have any, such as not those of actions. */
function tableOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly (readonly string[])[] {
  const written = columns.filter((each) => each.text !== undefined || rows.some((row) => textOf(each, row) !== ""));
  return [written.map(({ title }) => title), ...rows.map((row) => written.map((column) => textOf(column, row)))];
}

function textOf<Row>({ cell, text }: Column<Row>, row: Row): string {
  const value = text === undefined ? cell(row) : text(row);
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value !== "–" ? value : "";
}

/** A column whose head changes the order of the list: to that of the column, and then to its reverse. */
function withOrder<Row>(column: Column<Row>, { value, set }: Order): Column<Row> {
  const { title, order } = column;
  if (order === undefined) return column;
  const reverse = order.startsWith("-") ? order.slice(1) : `-${order}`;
  const isSorted = value === order || value === reverse;
  const head = (
    <button type="button" className="order" onClick={() => set(value === order ? reverse : order)}>
      {title}
    </button>
  );
  return { ...column, head, sorted: isSorted ? (value.startsWith("-") ? "descending" : "ascending") : undefined };
}

/** The column in which rows are chosen, of those that are shown, and the actions of the chosen ones, if there are any. */
function useChosen<Row>(
  rows: readonly Row[],
  { keyOf, choice }: Pick<Props<Row>, "keyOf" | "choice">,
): { readonly column?: Column<Row>; readonly actions?: ReactNode } {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  if (choice === undefined) return {};
  const keyOfRow = new Map(rows.map((row, index) => [row, keyOf(row, index)]));
  const { mayChoose = () => true, nameOf = (row: Row) => keyOfRow.get(row) } = choice;
  const free = rows.filter(mayChoose);
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
      mayChoose(row) && (
        <input
          type="checkbox"
          aria-label={nameOf(row)}
          checked={isChosen(row)}
          onChange={() => choose(isChosen(row) ? chosen.filter((each) => each !== row) : [...chosen, row])}
        />
      ),
  };
  const actions = chosen.length > 0 && (
    <div className="actions chosen">
      <span role="status">{words.some(chosen.length)}</span>
      {choice.actions(chosen)}
    </div>
  );
  return { column, actions };
}

/** A table in its frame, of a head and bodies. A wider table scrolls in the frame, which is then reachable by keyboard. */
function TableFrame({ children }: { readonly children: ReactNode }) {
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
