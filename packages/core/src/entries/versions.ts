/** All orders of versions by name. A program that needs one of them imports `./versions/NAME`. */
export { sortVersions } from "../match/range.ts";
export type { VersionScheme } from "../plugins/version-scheme.ts";
export { versionSchemes } from "../version-schemes.ts";
