/** The readers of dpkg's and opkg's databases, without the rest of the engine: bytes in, packages and owned paths out. */
export type { FileProblems, LineProblem } from "../linux/file-problems.ts";
export { type Fields, parseDeb822, type Stanza } from "./deb822.ts";
export { findOwnershipFile, type OwnershipFile, parseFileList, parseMd5sums } from "./file-list.ts";
export { type DpkgPackage, type DpkgStatus, parseDpkgStatus, type StatusLayout } from "./status.ts";
export { findThirdParty } from "./third-party.ts";
