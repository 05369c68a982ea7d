/** The error of every function of this package, for programs that import only subpaths. */
export { ScanError, type ScanErrorCode } from "../errors.ts";
