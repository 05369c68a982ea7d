import { ScanError } from "../errors.ts";

/** The error for bytes that are no xz, or damaged. */
export function malformedXz(found: string): ScanError {
  return new ScanError("malformed_archive", `xz: found ${found}`);
}
