import type { ByteParts } from "../../bytes/byte-parts.ts";
import { type DamagedPart, damagedPart } from "../../bytes/damaged-part.ts";
import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";
import type { ScanError } from "../../errors.ts";
import { type RpmDatabaseOptions, readRpmDatabase } from "./database.ts";
import { decodeRpmPackage, type RpmPackage } from "./package.ts";
import type { RpmRecord } from "./record.ts";

/** One package, or a part that could not be read. */
export type RpmItem = { readonly kind: "package"; readonly package: RpmPackage } | DamagedPart;

/** The number of damaged parts after which the rest of a database is not read. */
const maxDamagedParts = 1000;
/** The name of records that are not packages but keys of signatures. */
const keyPackage = "gpg-pubkey";

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
