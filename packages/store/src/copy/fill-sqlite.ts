import { DatabaseSync } from "node:sqlite";
import { StoreError } from "../errors.ts";
import { quoted } from "../quoted.ts";
import { isOfOneDatabase, type Row, type Snapshot } from "./snapshot.ts";
import { tablesOf } from "./sqlite-snapshot.ts";

/**
 * Copies all rows into a migrated SQLite file that no other process uses yet. After a crash the file is not usable.
 * @returns the number of rows by table
 */
export async function fillSqlite(
  path: string,
  source: Snapshot,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, number>> {
  using db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  db.exec("pragma synchronous = off");
  const copied = new Map<string, number>();
  for (const table of tablesOf(db)) {
    if (isOfOneDatabase(table)) continue;
    copied.set(table, await fillTable(db, source, { table, signal }));
  }
  const broken = db.prepare("pragma foreign_key_check").get();
  if (broken !== undefined) throw new StoreError("corrupt", `a row of ${broken.table} refers to one that is missing`);
  db.exec("pragma optimize; pragma journal_mode = delete"); // one file without a log, readable on read-only media
  return copied;
}

async function fillTable(
  db: DatabaseSync,
  source: Snapshot,
  { table, signal }: { readonly table: string; readonly signal: AbortSignal | undefined },
): Promise<number> {
  let rows = 0;
  for await (const page of source.rows(table)) {
    signal?.throwIfAborted();
    const columns = Object.keys(page[0] ?? {});
    const insert = db.prepare(
      `insert into ${quoted(table)} (${columns.map(quoted).join(", ")}) values (${columns.map(() => "?").join(", ")})`,
    );
    db.exec("begin");
    for (const row of page) insert.run(...valuesOf(row, columns));
    db.exec("commit");
    rows += page.length;
  }
  return rows;
}

function valuesOf(row: Row, columns: readonly string[]) {
  return columns.map((column) => row[column] ?? null);
}
