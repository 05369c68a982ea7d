import { ScanError } from "../errors.ts";
import type { Problem } from "../model/index-report.ts";

/** The error for a package database, or a part of one, that does not follow its format. */
export function malformedPackageDb(message: string): ScanError {
  return new ScanError("malformed_package_db", message);
}

/** A part of a file that could not be read; other parts of the file could. */
export interface DamagedPart extends Problem {
  readonly kind: "damaged";
}

/** A ScanError as a damaged part; any other error is thrown again. `at` names the part: `page 7`, `record 12`. */
export function damagedPart(at: string, error: unknown): DamagedPart {
  if (!(error instanceof ScanError)) throw error;
  return { kind: "damaged", at, code: error.code, message: error.message };
}
