import type { Problem } from "../../model/index-report.ts";
import type { RpmPackage } from "./package.ts";
import { readRpmPackages } from "./read-packages.ts";

export type { RpmPackage } from "./package.ts";

/**
 * Parses an rpm package database: `Packages` (Berkeley DB), `Packages.db` (NDB) or `rpmdb.sqlite`, recognized by
 * content. Signing keys, which rpm lists as packages named `gpg-pubkey`, are left out. A damaged record becomes a problem.
 * @param options `wal`: the content of `rpmdb.sqlite-wal`, transactions that are not in the main file yet
 * @throws ScanError `malformed_package_db` if the database as a whole cannot be read
 * @example
 * import { readFile } from "node:fs/promises";
 *
 * const { packages, problems } = parseRpmDatabase(await readFile("var/lib/rpm/rpmdb.sqlite"));
 */
export function parseRpmDatabase(
  bytes: Uint8Array,
  options: { readonly wal?: Uint8Array } = {},
): {
  /** Sorted by record number. */
  readonly packages: readonly RpmPackage[];
  /** Parts that could not be read; `at` names the part of the file or the record. */
  readonly problems: readonly Problem[];
} {
  const packages: RpmPackage[] = [];
  const problems: Problem[] = [];
  for (const item of readRpmPackages(bytes, options)) {
    if (item.kind === "package") packages.push(item.package);
    else problems.push({ at: item.at, code: item.code, message: item.message });
  }
  packages.sort((a, b) => a.recordNumber - b.recordNumber);
  return { packages, problems };
}
