import { setImmediate as nextTurn } from "node:timers/promises";
import { StoreError } from "../errors.ts";
import type { SqliteFile } from "./sqlite-file.ts";

/** The rows of each index that are analysed, which takes about a millisecond for an index. */
const analysedRows = 300;

/**
 * `1`: list the statements instead of running them; `2`: tables whose size differs from their statistics; `0x10000`: also tables that this
 * connection has not read, because reads use another one. @see https://sqlite.org/pragma.html#pragma_optimize
 */
const dueTables = "pragma optimize(0x10003)";

/**
 * Updates the statistics of the query planner, for tables without any, and tables that have become ten times larger or smaller. It handles
 * one table at a time, so that other work can run in between. Results are correct without statistics, so errors of the database are ignored.
 */
export async function updateStatistics(file: SqliteFile): Promise<void> {
  if (file.readOnly) return;
  try {
    const due = await withWriter(file, () => file.writer.prepare(dueTables).all());
    for (const { optimize: statement } of due) {
      await nextTurn();
      await withWriter(file, () => file.writer.exec(`pragma analysis_limit = ${analysedRows}; ${statement}`));
    }
    if (due.length > 0) file.reads?.reopen(); // a connection reads statistics when it is opened
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
}

/** Runs work with exclusive use of the connection that writes. */
async function withWriter<T>(file: SqliteFile, work: () => T): Promise<T> {
  const turn = await file.writing.acquire();
  try {
    return await file.whenUnlocked(() => file.guard(work));
  } finally {
    file.reads?.seeLatest();
    turn.release();
  }
}
