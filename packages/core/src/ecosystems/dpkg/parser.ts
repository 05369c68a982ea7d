/** The reader of dpkg's and opkg's databases, without the rest of the engine: bytes in, packages out. */
export type { FileProblems } from "../linux/file-problems.ts";
export { type DpkgPackage, type DpkgStatus, parseDpkgStatus } from "./status.ts";
