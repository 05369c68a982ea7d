import { ScanError } from "../errors.ts";

/** The error for bytes that are not xz, or are damaged. */
export function malformedXz(found: string): ScanError {
  return new ScanError("malformed_archive", `xz: found ${found}`);
}
