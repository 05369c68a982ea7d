import { ScanError } from "../errors.ts";

/** The error for a package database, or a part of one, that does not follow its format. */
export function malformedPackageDb(message: string): ScanError {
  return new ScanError("malformed_package_db", message);
}
