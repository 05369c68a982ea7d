/**
 * Tells whether the process that holds a lock of an SQLite file still lives, also from another container. Each store that takes
 * locks keeps a file of its own beside the database and a lock of the operating system on it. That lock ends with the process,
 * however it ends, and every process that can use the database in WAL mode sees it: such a database cannot be shared by machines.
 * @see https://sqlite.org/wal.html
 */
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "../errors.ts";

/**
 * Tells machines apart: the log of a database that is in use is shared through memory, which two machines do not have in common.
 * Containers of one machine have. The kernel's boot id where there is one, else the name of the host.
 */
const machine = createHash("sha256").update(bootId()).digest("hex").slice(0, 8);

function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8");
  } catch {
    return hostname();
  }
}

/** A file that is locked for as long as this process lives. */
export interface LifeSign {
  readonly id: string;
  close(): void;
}

const fileOf = (database: string, id: string) => `${database}-alive-${id}`;

/**
 * Undefined where the disk takes no new file: then nothing shows that this process lives.
 * @throws StoreError `locked` while a process of another machine uses the database
 */
export function openLifeSign(database: string): LifeSign | undefined {
  if (database === ":memory:") return undefined;
  refuseOtherMachines(database);
  for (;;) {
    const id = `${machine}-${randomUUID()}`;
    const file = fileOf(database, id);
    const lock = takeLock(file);
    if (lock === "failed") return undefined;
    if (lock === "taken by another" || !existsSync(file)) continue; // it was swept before it was locked
    return { id, close: () => removeLocked(file, lock) };
  }
}

/** Older versions did not say of which machine they are. */
function isOfOlderVersion(id: string): boolean {
  return id.split("-").length === 5;
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

/** Removes the files of processes that were killed. @throws StoreError `locked` for one that lives on another machine */
function refuseOtherMachines(database: string): void {
  const start = basename(fileOf(database, ""));
  for (const name of readdirSync(dirname(database))) {
    if (!name.startsWith(start)) continue;
    const id = name.slice(start.length);
    if (hasEnded(database, id) || id.startsWith(machine) || isOfOlderVersion(id)) continue;
    const remedy = "stop that one, or use PostgreSQL for several machines";
    const message = `${database} is used by a process of another machine, and an SQLite file cannot be shared so: ${remedy}`;
    throw new StoreError("locked", message);
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
