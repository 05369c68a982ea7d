import { sql } from "kysely";
import type { RegistryStore, RegistryTables } from "./tables/all.ts";

/** How many rows are deleted in one transaction, so that other requests are served in between. */
const stepLength = 500;

/** The rows to delete: those with one of the values in the column. */
export interface DeletedRows {
  readonly column: string;
  readonly values: readonly string[];
}

/**
 * Deletes the rows of a table that have a value in a column, in transactions of a bounded number of rows. Can be stopped and started
 * again at any moment.
 */
export async function deleteInSteps(
  store: RegistryStore,
  table: keyof RegistryTables & string,
  { column, values, signal }: DeletedRows & { readonly signal?: AbortSignal | undefined },
): Promise<void> {
  if (values.length === 0) return;
  const row = sql.ref(store.kind === "sqlite" ? "rowid" : "ctid");
  const rows = sql`select ${row} from ${sql.table(table)} where ${sql.ref(column)} in (${sql.join(values)}) limit ${stepLength}`;
  for (let deleted = stepLength; deleted === stepLength; ) {
    signal?.throwIfAborted();
    deleted = await store.transaction(async (db) => {
      const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ${row} in (${rows})`.execute(db);
      return Number(numAffectedRows ?? 0n);
    });
  }
}
