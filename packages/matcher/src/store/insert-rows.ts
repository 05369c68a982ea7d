import { runForRows, type SqlValue, type StoreKind } from "@plimsoll/store";
import { CompiledQuery, type Transaction } from "kysely";

/** The table of inserted rows, and the action for existing ones. */
export interface RowTarget {
  readonly table: string;
  readonly columns: readonly string[];
  readonly onConflict: string;
}

/** The number of values of one statement; PostgreSQL allows 65,535. */
const valuesPerStatement = 9_000;

/**
 * Inserts some thousands of rows, given as lists of column values. It does not use the query builder, which would take most of the time to
 * build the statement.
 */
export async function insertRows<DB>(
  transaction: Transaction<DB>,
  kind: StoreKind,
  { target, rows }: { readonly target: RowTarget; readonly rows: readonly (readonly SqlValue[])[] },
): Promise<void> {
  if (kind === "sqlite") return insertOneByOne(transaction, target, rows);
  const perStatement = Math.floor(valuesPerStatement / target.columns.length);
  for (let at = 0; at < rows.length; at += perStatement) {
    const page = rows.slice(at, at + perStatement);
    const text = insertText(target, numberedRows(page.length, target.columns.length));
    await transaction.executeQuery(CompiledQuery.raw(text, page.flat()));
  }
}

/** The number of rows after which other work of the thread may run. */
const rowsPerTurn = 1_000;

async function insertOneByOne<DB>(
  transaction: Transaction<DB>,
  target: RowTarget,
  rows: readonly (readonly SqlValue[])[],
): Promise<void> {
  const text = insertText(target, `(${target.columns.map(() => "?").join()})`);
  for (let at = 0; at < rows.length; at += rowsPerTurn)
    await runForRows(transaction, text, rows.slice(at, at + rowsPerTurn));
}

function insertText({ table, columns, onConflict }: RowTarget, values: string): string {
  return `insert into ${table} (${columns.join(", ")}) values ${values} on conflict ${onConflict}`;
}

/** `($1, $2), ($3, $4)` */
function numberedRows(rows: number, columns: number): string {
  const row = (index: number) => Array.from({ length: columns }, (_, column) => `$${index * columns + column + 1}`);
  return Array.from({ length: rows }, (_, index) => `(${row(index).join()})`).join();
}
