/**
 * Shows whether the process that holds a lock of an SQLite file still runs, even in another container. Each store that takes locks has its
 * own file beside the database, which it locks through the operating system. That lock ends with the process. Every process that can use
 * the database in WAL mode sees it, because such a database cannot be shared by several machines.
 * @see https://sqlite.org/wal.html
 */
import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "../errors.ts";

/**
 * Identifies this machine: the kernel's boot id, or else the host name. Processes share the log of a database through memory, which works
 * between containers of one machine, but not between machines.
 */
const machine = createHash("sha256").update(bootId()).digest("hex").slice(0, 8);

function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8");
  } catch {
    return hostname();
  }
}

/** A file that stays locked while this process runs. */
export interface LifeSign {
  readonly id: string;
  close(): void;
}

const fileOf = (database: string, id: string) => `${database}-alive-${id}`;

/**
 * Creates and locks a life sign. Undefined if no file can be created: then nothing shows that this process runs.
 * @throws StoreError `locked` while a process of another machine uses the database
 */
export function openLifeSign(database: string): LifeSign | undefined {
  if (database === ":memory:") return undefined;
  refuseOtherMachines(database);
  for (;;) {
    const id = `${machine}-${randomUUID()}`;
    const file = fileOf(database, id);
    const lock = lockFile(file);
    if (lock === "failed") return undefined;
    if (lock === "held by another" || !existsSync(file)) continue; // another process removed it before it was locked
    return { id, close: () => removeLocked(file, lock) };
  }
}

/** Ids of older versions do not contain their machine. */
function isOfOlderVersion(id: string): boolean {
  return id.split("-").length === 5;
}

/** Whether the process of a life sign has certainly ended. */
export function hasEnded(database: string, id: string): boolean {
  const file = fileOf(database, id);
  if (!existsSync(file)) return true;
  const lock = lockFile(file);
  if (typeof lock === "string") return false;
  removeLocked(file, lock);
  return true;
}

/** Removes the files of killed processes. @throws StoreError `locked` if a process of another machine runs */
function refuseOtherMachines(database: string): void {
  const start = basename(fileOf(database, ""));
  for (const name of readdirSync(dirname(database))) {
    if (!name.startsWith(start)) continue;
    const id = name.slice(start.length);
    if (hasEnded(database, id) || id.startsWith(machine) || isOfOlderVersion(id)) continue;
    const remedy = "stop that one, or use PostgreSQL for several machines";
    const message = `${database} is used by a process of another machine, and machines cannot share an SQLite file: ${remedy}`;
    throw new StoreError("locked", message);
  }
}

/** Locks a file through SQLite, which knows the means of each system and separates the locks of one process. Nothing is written. */
function lockFile(file: string): DatabaseSync | "held by another" | "failed" {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file, { timeout: 0 });
    lock.exec("pragma journal_mode = memory; begin exclusive"); // creates no other file
    return lock;
  } catch (error) {
    lock?.close();
    return (error as { readonly errcode?: number }).errcode === busy ? "held by another" : "failed";
  }
}

/** `SQLITE_BUSY`. @see https://sqlite.org/rescode.html#busy */
const busy = 5;

/** Removes a file while it is locked, so that no other process locks it; on systems that do not allow this, after closing it. */
function removeLocked(file: string, lock: DatabaseSync): void {
  remove(file);
  lock.close();
  remove(file);
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // A later start removes it.
  }
}
