/** The reader of apk's database, without the rest of the engine: bytes in, packages out. */
export { type ApkInstalled, type ApkPackage, parseApkInstalled } from "./installed-db.ts";
