import type { SqlValue, StoreKind } from "@plimsoll/store";
import { CompiledQuery, type Transaction } from "kysely";

/** Where rows go; what to do with those that are there already. */
export interface RowTarget {
  readonly table: string;
  readonly columns: readonly string[];
  readonly onConflict: string;
}

/**
 * Values of one statement. PostgreSQL, which is asked over a connection, allows 65,535; SQLite keeps a statement prepared only while its
 * text is short, and preparing it costs more than asking more often.
 */
const valuesPerStatement = { sqlite: 900, postgres: 9_000 } as const satisfies Record<StoreKind, number>;

/**
 * Inserts many rows, given as their columns in order. Below the query builder, which would spend most of the time on
 * building the statement.
 */
export async function insertRows<DB>(
  transaction: Transaction<DB>,
  kind: StoreKind,
  target: RowTarget,
  rows: readonly (readonly SqlValue[])[],
): Promise<void> {
  const perStatement = Math.floor(valuesPerStatement[kind] / target.columns.length);
  for (let at = 0; at < rows.length; at += perStatement) {
    const page = rows.slice(at, at + perStatement);
    await transaction.executeQuery(CompiledQuery.raw(insertText(kind, target, page.length), page.flat()));
  }
}

function insertText(kind: StoreKind, { table, columns, onConflict }: RowTarget, rows: number): string {
  const row = (index: number) =>
    columns.map((_, column) => (kind === "sqlite" ? "?" : `$${index * columns.length + column + 1}`)).join(", ");
  const values = Array.from({ length: rows }, (_, index) => `(${row(index)})`).join(", ");
  return `insert into ${table} (${columns.join(", ")}) values ${values} on conflict ${onConflict}`;
}
