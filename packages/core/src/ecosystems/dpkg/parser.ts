/** The reader of dpkg's and opkg's databases, without the rest of the engine: bytes in, packages out. */
export { type DpkgPackage, type DpkgStatus, parseDpkgStatus } from "./status.ts";
