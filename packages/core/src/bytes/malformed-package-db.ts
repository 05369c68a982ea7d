import { ScanError } from "../errors.ts";

/** The error for a package database, or a part of one, that is not what its format says. */
export function malformedPackageDb(message: string): ScanError {
  return new ScanError("malformed_package_db", message);
}
