import { CompiledQuery, type Transaction } from "kysely";
import type { SqlValue } from "./store.ts";

/** A statement that runs once for each of its rows of values. Only SQLite supports it. @internal */
export interface RowsQuery extends CompiledQuery {
  readonly valueRows: readonly (readonly SqlValue[])[];
}

/**
 * Runs one statement for each of many rows of values, in a transaction on SQLite. It costs a fifth less than one statement with many rows,
 * whose text must be parsed and whose rows are copied once more. Other work waits meanwhile, so pass at most some thousand rows.
 * @example
 * declare const store: Store<unknown>;
 * const rows = [
 *   [1, "first"],
 *   [2, "second"],
 * ] as const;
 * await store.transaction((transaction) => runForRows(transaction, "insert into note (id, text) values (?, ?)", rows));
 */
export async function runForRows<DB>(
  transaction: Transaction<DB>,
  text: string,
  rows: readonly (readonly SqlValue[])[],
): Promise<void> {
  if (rows.length === 0) return;
  const query: RowsQuery = { ...CompiledQuery.raw(text), valueRows: rows };
  await transaction.executeQuery(query);
}

/** The rows of a {@link RowsQuery}; undefined for any other statement. @internal */
export function valueRowsOf(query: CompiledQuery): RowsQuery["valueRows"] | undefined {
  return "valueRows" in query ? (query as RowsQuery).valueRows : undefined;
}
