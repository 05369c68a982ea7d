// Opens the connections to an SQLite file.

import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StoreError, type StoreErrorCode } from "../errors.ts";
import { hasCode } from "../has-code.ts";

/** `Plim`: marks our files, so that the database of another program is never migrated. */
const applicationId = 0x506c696d;

/** How long opening and reading wait for another process. They block meanwhile, but hardly ever wait in WAL mode. */
const busyTimeoutMs = 5_000;

/** The page cache of the writing connection, and the size to which the log is truncated after a large transaction. */
const cacheKilobytes = 16_384;
const walBytes = 64 * 1024 ** 2;

/**
 * Opens the connection that writes. It maps no memory: changed pages are in its cache, and the mapped pages of a large transaction would
 * count a second time as memory of the process.
 * @param image the initial content of a new database
 * @throws StoreError `read_only` for a file on read-only media
 */
export function openWriter(path: string, image?: Uint8Array): DatabaseSync {
  if (path !== ":memory:" && isOnReadOnlyMedia(path)) {
    throw new StoreError("read_only", `${path} cannot be written: its file system is mounted read-only`);
  }
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  if (image !== undefined && "deserialize" in db) (db as Deserializing).deserialize(image);
  if (ownerOf(db) === undefined) db.exec(`pragma application_id = ${applicationId}`);
  db.exec("pragma journal_mode = wal; pragma synchronous = normal; pragma mmap_size = 0");
  db.exec(`pragma busy_timeout = 0; pragma cache_size = -${cacheKilobytes}; pragma journal_size_limit = ${walBytes}`);
  // Without these every transaction on temporary tables copies its pages to disk twice.
  db.exec(`pragma temp.cache_size = -${cacheKilobytes}; pragma temp.journal_mode = memory`);
  return db;
}

/** Whether the file system is mounted read-only, whatever the modes of files are. */
export function isOnReadOnlyMedia(path: string): boolean {
  try {
    accessSync(dirname(path), constants.W_OK);
    return false;
  } catch (error) {
    return hasCode(error, "EROFS");
  }
}

/** A method of newer versions of Node. In older ones, a database begins empty. */
interface Deserializing extends DatabaseSync {
  deserialize(image: Uint8Array): void;
}

/** Opens the connection that reads. Undefined if the log or its index cannot be created: see {@link openUnchanging}. */
export function openReader(path: string, mapBytes: number): DatabaseSync | undefined {
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    db.exec(`pragma query_only = on; pragma mmap_size = ${mapBytes}; select count(*) from sqlite_schema`);
    return db;
  } catch (error) {
    db.close();
    if (!noLog.has(resultCode(error) ?? 0) || (hasLog(path) && !isOnReadOnlyMedia(path))) throw error;
    return undefined;
  }
}

/** Primary result codes if the log cannot be created: read-only, I/O error, disk full, cannot open. */
const noLog: ReadonlySet<number> = new Set([8, 10, 13, 14]);

/**
 * Opens a file that does not change. A log that was left on read-only media is read with an index in memory. For that, SQLite requires
 * exclusive access, which it cannot ensure by locks there.
 * @see https://sqlite.org/wal.html#noshm
 */
export function openUnchanging(path: string): DatabaseSync {
  if (!hasLog(path)) return new DatabaseSync(`${addressOf(path)}?immutable=1`, { readOnly: true });
  const db = new DatabaseSync(`${addressOf(path)}?vfs=unix-none`, { readOnly: true });
  db.exec("pragma locking_mode = exclusive");
  return db;
}

function addressOf(path: string): string {
  return `file:${encodeURI(path).replaceAll("?", "%3f").replaceAll("#", "%23")}`;
}

function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Opens a file only for reading. On read-only media, where the index of its log cannot be created, as one that does not change. */
export function openReadOnly(path: string, mapBytes: number): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  try {
    db.exec(`pragma mmap_size = ${mapBytes}; select count(*) from sqlite_schema`);
    return db;
  } catch (error) {
    db.close();
    if (resultCode(error) !== 14 || (hasLog(path) && !isOnReadOnlyMedia(path))) throw error;
    return openUnchanging(path);
  }
}

/** @throws StoreError `not_a_database` for the database of another program */
export function checkOwner(db: DatabaseSync, path: string): void {
  if (ownerOf(db) !== "another") return;
  throw new StoreError("not_a_database", `${path} is an SQLite database of another program: name another file`);
}

/** The program that the database belongs to; undefined while it is empty. */
function ownerOf(db: DatabaseSync): "plimsoll" | "another" | undefined {
  const { application_id: owner } = db.prepare("pragma application_id").get() ?? {};
  if (owner === applicationId) return "plimsoll";
  const { tables } = db.prepare("select count(*) as tables from sqlite_schema").get() ?? {};
  return tables === 0 ? undefined : "another";
}

/**
 * Primary result codes for errors of the file as a whole.
 * @see https://sqlite.org/rescode.html
 */
const codes: ReadonlyMap<number, readonly [StoreErrorCode, string]> = new Map([
  [5, ["locked", "is being written by another process: try again when it is done"]],
  [6, ["locked", "is being written by another process: try again when it is done"]],
  [10, ["unavailable", "cannot be read or written: check its disk"]],
  [
    8,
    [
      "read_only",
      "cannot be written: check the permissions of the file and its folder, and how its file system is mounted",
    ],
  ],
  [11, ["corrupt", "is damaged: restore it, or delete it and update the feeds again"]],
  [13, ["disk_full", "cannot grow: the disk is full"]],
  [14, ["cannot_open", "cannot be opened: check that it is a file and its permissions"]],
  [26, ["not_a_database", "is not an SQLite database: name another file"]],
]);

/** Converts an error of the file as a whole to a {@link StoreError}; other errors are returned unchanged. */
export function explainError(error: unknown, path: string): unknown {
  const [code, remedy] = codes.get(resultCode(error) ?? -1) ?? [];
  if (code === undefined) return error;
  return new StoreError(code, `${path} ${remedy}`, { cause: error });
}

/** The primary result code of an error of the engine. @see https://sqlite.org/rescode.html */
function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("errcode" in error)) return undefined;
  return typeof error.errcode === "number" ? error.errcode & 0xff : undefined;
}
