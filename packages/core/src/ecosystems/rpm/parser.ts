import type { ByteParts } from "../../bytes/byte-parts.ts";
import { type DamagedPart, damagedPart } from "../../bytes/damaged-part.ts";
import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import type { ScanError } from "../../errors.ts";
import type { Problem } from "../../model/index-report.ts";
import { type RpmDatabaseOptions, readRpmDatabase } from "./database.ts";
import { decodeRpmPackage, type RpmPackage } from "./package.ts";
import type { RpmRecord } from "./record.ts";

export type { JoinBytes } from "../../bytes/concat-bytes.ts";
export type { DamagedPart } from "../../bytes/damaged-part.ts";
export type { Problem } from "../../model/index-report.ts";
export type { RpmDatabaseOptions } from "./database.ts";
export type { RpmPackage } from "./package.ts";

/** The content of an rpm package database. */
export interface RpmPackages {
  /** Sorted by record number. */
  readonly packages: readonly RpmPackage[];
  /** Parts that could not be read; `at` names the part of the file or the record. */
  readonly problems: readonly Problem[];
}

/** One package, or a part that could not be read. */
export type RpmItem = { readonly kind: "package"; readonly package: RpmPackage } | DamagedPart;

/** The number of damaged parts after which the rest of a database is not read. */
const maxDamagedParts = 1000;
/** The name of records that are not packages but keys of signatures. */
const keyPackage = "gpg-pubkey";

/**
 * Parses an rpm package database: `Packages` (Berkeley DB), `Packages.db` (NDB) or `rpmdb.sqlite`, recognized by
 * content. Signing keys, which rpm lists as packages named `gpg-pubkey`, are left out. A damaged record becomes a problem.
 * @throws ScanError `malformed_package_db` if the database as a whole cannot be read
 * @example
 * import { readFile } from "node:fs/promises";
 *
 * const { packages, problems } = parseRpmDatabase(await readFile("var/lib/rpm/rpmdb.sqlite"));
 */
export function parseRpmDatabase(bytes: Uint8Array, options: RpmDatabaseOptions = {}): RpmPackages {
  const packages: RpmPackage[] = [];
  const problems: Problem[] = [];
  for (const item of readRpmPackages(bytes, options)) {
    if (item.kind === "package") packages.push(item.package);
    else problems.push({ at: item.at, code: item.code, message: item.message });
  }
  packages.sort((a, b) => a.recordNumber - b.recordNumber);
  return { packages, problems };
}

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
