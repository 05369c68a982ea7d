/**
 * Tells whether the process that holds a lock of an SQLite file still lives, also from another container. Each store that takes
 * locks keeps a file of its own beside the database and a lock of the operating system on it. That lock ends with the process,
 * however it ends, and every process that can use the database in WAL mode sees it: such a database cannot be shared by machines.
 * @see https://sqlite.org/wal.html
 */
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** A file that is locked for as long as this process lives. */
export interface LifeSign {
  readonly id: string;
  close(): void;
}

const fileOf = (database: string, id: string) => `${database}-alive-${id}`;

/** Undefined where the disk takes no new file: then nothing shows that this process lives. */
export function openLifeSign(database: string): LifeSign | undefined {
  if (database === ":memory:") return undefined;
  sweep(database);
  for (;;) {
    const id = randomUUID();
    const file = fileOf(database, id);
    const lock = takeLock(file);
    if (lock === "failed") return undefined;
    if (lock === "taken by another" || !existsSync(file)) continue; // it was swept before it was locked
    return { id, close: () => removeLocked(file, lock) };
  }
}

/** Whether the process of a life sign has certainly ended. */
export function hasEnded(database: string, id: string): boolean {
  const file = fileOf(database, id);
  if (!existsSync(file)) return true;
  const lock = takeLock(file);
  if (typeof lock === "string") return false;
  removeLocked(file, lock);
  return true;
}

/** Removes the files of processes that were killed. */
function sweep(database: string): void {
  const start = basename(fileOf(database, ""));
  for (const name of readdirSync(dirname(database))) {
    if (name.startsWith(start)) hasEnded(database, name.slice(start.length));
  }
}

/** SQLite locks files by the means of each system, and keeps the locks of one process apart. Nothing is written. */
function takeLock(file: string): DatabaseSync | "taken by another" | "failed" {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file, { timeout: 0 });
    lock.exec("pragma journal_mode = memory; begin exclusive"); // no file but this one
    return lock;
  } catch (error) {
    lock?.close();
    return (error as { readonly errcode?: number }).errcode === busy ? "taken by another" : "failed";
  }
}

/** `SQLITE_BUSY`. @see https://sqlite.org/rescode.html#busy */
const busy = 5;

/** The file goes while it is locked, so that no process takes it for its own; systems that refuse that remove it afterwards. */
function removeLocked(file: string, lock: DatabaseSync): void {
  remove(file);
  lock.close();
  remove(file);
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // It is swept some other time.
  }
}
