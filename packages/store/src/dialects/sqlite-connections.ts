/** How the connections to an SQLite file are opened. */
import { existsSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { StoreError } from "../errors.ts";
import { resultCode } from "./sqlite-errors.ts";

/** `Plim`: marks our files, so that a database of another program is never migrated. */
const applicationId = 0x506c696d;

/** How long opening and reading wait, blocking, for another process. They hardly ever do in WAL mode. */
const busyTimeoutMs = 5_000;

/** Pages that the writing connection keeps in memory, and what is left of the WAL after a large transaction. */
const cacheKilobytes = 16_384;
const walBytes = 64 * 1024 ** 2;

/** The connection that writes. @param image what a new database begins as */
export function openWriter(path: string, mapBytes: number, image?: Uint8Array): DatabaseSync {
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  if (image !== undefined && "deserialize" in db) (db as Deserializing).deserialize(image);
  if (ownerOf(db) === undefined) db.exec(`pragma application_id = ${applicationId}`);
  db.exec(`pragma journal_mode = wal; pragma synchronous = normal; pragma mmap_size = ${mapBytes}`);
  db.exec(`pragma busy_timeout = 0; pragma cache_size = -${cacheKilobytes}; pragma journal_size_limit = ${walBytes}`);
  // Without these every transaction on temporary tables copies its pages to disk twice.
  db.exec(`pragma temp.cache_size = -${cacheKilobytes}; pragma temp.journal_mode = memory`);
  return db;
}

/** What newer releases of Node can do; a database of an older one begins empty. */
interface Deserializing extends DatabaseSync {
  deserialize(image: Uint8Array): void;
}

/** The connection that reads. Undefined where the disk has no room for a log, nor is there one. */
export function openReader(path: string, mapBytes: number): DatabaseSync | undefined {
  const db = new DatabaseSync(path, { timeout: busyTimeoutMs });
  try {
    db.exec(`pragma query_only = on; pragma mmap_size = ${mapBytes}; select count(*) from sqlite_schema`);
    return db;
  } catch (error) {
    db.close();
    const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
    if (!noLog.has(resultCode(error) ?? 0) || (log !== undefined && log.size > 0)) throw error;
    return undefined;
  }
}

/** Primary result codes of a log that cannot be made: read-only, input or output error, full, cannot open. */
const noLog: ReadonlySet<number> = new Set([8, 10, 13, 14]);

/** A file that nothing changes. */
export function openImmutable(path: string): DatabaseSync {
  return new DatabaseSync(`file:${encodeURI(path).replaceAll("?", "%3f")}?immutable=1`, { readOnly: true });
}

/** A WAL file on read-only media has no room for its index: it is then opened as what it is, unchanging. */
export function openReadOnly(path: string, mapBytes: number): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs });
  try {
    db.exec(`pragma mmap_size = ${mapBytes}; select count(*) from sqlite_schema`);
    return db;
  } catch (error) {
    db.close();
    if (resultCode(error) !== 14 || existsSync(`${path}-wal`)) throw error;
    return openImmutable(path);
  }
}

/** @throws StoreError `not_a_database` for the database of another program */
export function checkOwner(db: DatabaseSync, path: string): void {
  if (ownerOf(db) !== "another") return;
  throw new StoreError("not_a_database", `${path} is an SQLite database of another program: name another file`);
}

/** Whose database it is; undefined while it is empty. */
function ownerOf(db: DatabaseSync): "plimsoll" | "another" | undefined {
  const { application_id: owner } = db.prepare("pragma application_id").get() ?? {};
  if (owner === applicationId) return "plimsoll";
  const { tables } = db.prepare("select count(*) as tables from sqlite_schema").get() ?? {};
  return tables === 0 ? undefined : "another";
}
