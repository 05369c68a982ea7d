import type { ByteParts } from "../../bytes/byte-parts.ts";
import type { JoinBytes } from "../../bytes/concat-bytes.ts";
import { type DamagedPart, damagedPart, malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import type { ScanError } from "../../errors.ts";
import { keyPackage } from "../../model/package-name.ts";
import { decodeSqliteFile, isSqliteFile, type SqliteFile } from "../../sqlite/file.ts";
import type { SqliteValue } from "../../sqlite/record.ts";
import { readTable } from "../../sqlite/table.ts";
import type { SqliteInteger } from "../../sqlite/varint.ts";
import { overlayWal } from "../../sqlite/wal.ts";
import { readBdb } from "./bdb.ts";
import { isBdbHash } from "./bdb-pages.ts";
import { isNdb, readNdb } from "./ndb.ts";
import { decodeRpmPackage, type RpmPackage } from "./package.ts";
import type { RpmRecord } from "./record.ts";

/** One package, or a part that could not be read. */
type RpmItem = { readonly kind: "package"; readonly package: RpmPackage } | DamagedPart;

/** The number of damaged parts after which the rest of a database is not read. */
const maxDamagedParts = 1000;

/**
 * Reads packages one by one, in file order. Only one header is in memory at a time.
 * @example
 * declare const parts: ByteParts;
 * for (const item of readRpmPackages(parts)) console.log(item);
 */
export function* readRpmPackages(bytes: ByteParts, options: RpmDatabaseOptions = {}): Generator<RpmItem> {
  let damagedParts = 0;
  for (const record of readRpmDatabase(bytes, options)) {
    const item = record.kind === "damaged" ? record : decodeRecord(record);
    if (item.kind === "package" && item.package.name === keyPackage) continue;
    yield item;
    if (item.kind === "damaged" && ++damagedParts === maxDamagedParts) {
      yield damagedPart("rest of the database", tooMuchDamage());
      return;
    }
  }
}

function decodeRecord(record: RpmRecord): RpmItem {
  try {
    return { kind: "package", package: decodeRpmPackage(record) };
  } catch (error) {
    return damagedPart(`record ${record.recordNumber}`, error);
  }
}

function tooMuchDamage(): ScanError {
  return malformedPackageDb(`not read: ${maxDamagedParts} parts before it are damaged`);
}

/** Options for reading a package database. */
interface RpmDatabaseOptions {
  /** The content of `rpmdb.sqlite-wal`: transactions that are not in the main file yet. */
  readonly wal?: Uint8Array;
  /** Joins the parts of a record from several pages. Default: into new memory. A caller that keeps no record may pass {@link reusedJoin}. */
  readonly join?: JoinBytes;
}

/**
 * Reads the records of an rpm package database, in file order. The form is recognized by content: SQLite, Berkeley DB
 * hash or NDB.
 * @throws ScanError `malformed_package_db` if the file is none of them or cannot be read as a whole
 */
export function readRpmDatabase(
  bytes: ByteParts,
  options: RpmDatabaseOptions = {},
): Generator<RpmRecord | DamagedPart> {
  if (isSqliteFile(bytes)) return readSqlite(bytes, options);
  if (isBdbHash(bytes)) return readBdb(bytes, options.join);
  if (isNdb(bytes)) return readNdb(bytes);
  throw malformedPackageDb(
    `expected an SQLite, Berkeley DB hash or NDB file, found ${bytes.length} bytes of something else`,
  );
}

function* readSqlite(bytes: ByteParts, { wal, join }: RpmDatabaseOptions): Generator<RpmRecord | DamagedPart> {
  let file: SqliteFile = decodeSqliteFile(bytes, join);
  try {
    if (wal !== undefined) file = overlayWal(file, wal);
  } catch (error) {
    yield damagedPart("write-ahead log", error);
  }
  let isEmpty = true;
  for (const item of readTable(file, "Packages")) {
    isEmpty = false;
    yield item.kind === "damaged" ? item : toRecord(item.rowid, item.values[1]);
  }
  if (isEmpty && hasNames(file)) {
    throw malformedPackageDb("expected the packages whose names the table Name lists, found an empty table Packages");
  }
}

function hasNames(file: SqliteFile): boolean {
  try {
    return readTable(file, "Name").next().done !== true;
  } catch {
    return false; // there is no such table
  }
}

function toRecord(rowid: SqliteInteger, blob: SqliteValue): RpmRecord | DamagedPart {
  if (typeof rowid !== "number") return damagedRecord(rowid, "expected a record number of at most 53 bits");
  if (!(blob instanceof Uint8Array)) return damagedRecord(rowid, "expected a blob in the second column");
  return { kind: "record", recordNumber: rowid, blob };
}

function damagedRecord(rowid: SqliteInteger, message: string): DamagedPart {
  return damagedPart(`record ${rowid}`, malformedPackageDb(message));
}
