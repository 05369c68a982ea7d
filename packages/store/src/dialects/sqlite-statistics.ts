import { setImmediate as nextTurn } from "node:timers/promises";
import { StoreError } from "../errors.ts";
import type { SqliteFile } from "./sqlite-file.ts";

/** Rows of each index that are looked at, which takes about a millisecond an index. */
const analysedRows = 300;

/**
 * `1`: tells what would be done instead of doing it, `2`: tables whose statistics are of another size, `0x10000`: also tables that this
 * connection has not read, since reads have their own. @see https://sqlite.org/pragma.html#pragma_optimize
 */
const dueTables = "pragma optimize(0x10003)";

/**
 * Brings the statistics that queries are planned by up to date: of tables that have none, or are ten times larger or smaller than
 * they say. One table at a time, between which others write and read. Statistics are not needed for correct answers: where they cannot be written
 * now, they are the next time.
 */
export async function updateStatistics(file: SqliteFile): Promise<void> {
  if (file.readOnly) return;
  try {
    const due = await alone(file, () => file.writer.prepare(dueTables).all());
    for (const { optimize: statement } of due) {
      await nextTurn();
      await alone(file, () => file.writer.exec(`pragma analysis_limit = ${analysedRows}; ${statement}`));
    }
    if (due.length > 0) file.reads?.reopen(); // a connection reads statistics when it is opened
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
}

/** Runs work on the connection that writes, while no other code uses it. */
async function alone<T>(file: SqliteFile, work: () => T): Promise<T> {
  const turn = await file.writing.acquire();
  try {
    return await file.whenUnlocked(() => file.guard(work));
  } finally {
    file.reads?.seeLatest();
    turn.release();
  }
}
