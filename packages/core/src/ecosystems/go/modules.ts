/**
 * The modules of a Go program, as its build information lists them:
 *
 * ```text
 * line = "path" TAB package | "mod" TAB module | "dep" TAB module | "=>" TAB module | "build" TAB key "=" value
 * module = path TAB version [TAB checksum]      "=>" replaces the module before it
 * ```
 * @see https://github.com/golang/go/blob/go1.26.0/src/runtime/debug/mod.go
 */

import { linkedVersion } from "./linked-version.ts";

/** A module. */
export interface GoModule {
  readonly path: string;
  /** Empty if unknown. */
  readonly version: string;
  /** The path by which its packages are imported, if it replaces another module. */
  readonly importedAs?: string;
}

/** The modules of a program. */
export interface GoModules {
  /** The package with `main`: `cmd/go`. */
  readonly mainPackage?: string;
  /** The module of `mainPackage`; absent if the program was built without modules. */
  readonly main?: GoModule;
  readonly dependencies: readonly GoModule[];
}

/** The text that the linker writes instead of a version if the module is not a release. */
const develVersion = "(devel)";
/**
 * The version that Go makes for a commit with no tag before it. A main module often has such a version because it was built from a copy without
 * tags, so the version cannot be compared with releases.
 */
const untagged = /^v\d+\.0\.0-\d{14}-[0-9a-f]{12}(?:\+|$)/;
const linkerFlags = "-ldflags=";
/** The path of a folder that replaces a module. */
const folder = /^(?:\.{0,2}[/\\]|[A-Za-z]:[/\\]|\.{1,2}$)/;

/** Parses the lines of modules. Unknown lines are ignored. */
export function parseModules(text: string): GoModules {
  let mainPackage: string | undefined;
  let main: GoModule | undefined;
  const dependencies: GoModule[] = [];
  let isMain = false;
  let flags = "";
  for (const line of text.split("\n")) {
    const [kind, path = "", version = ""] = line.split("\t", 3);
    if (kind === "path") mainPackage = path;
    if (kind === "build" && path.startsWith(linkerFlags)) flags = path.slice(linkerFlags.length);
    if (kind === "mod" || kind === "dep") isMain = kind === "mod";
    const found = { path, version: version === develVersion ? "" : version };
    if (kind === "mod") main = found;
    else if (kind === "dep") dependencies.push(found);
    else if (kind === "=>" && isMain && main !== undefined) main = replaced(main, found);
    else if (kind === "=>" && !isMain) dependencies.push(replaced(dependencies.pop() ?? found, found));
  }
  return {
    dependencies,
    ...(mainPackage !== undefined && { mainPackage }),
    ...(main !== undefined && { main: withVersion(main, flags) }),
  };
}

/** The main module, with the version from the linker flags if it is not a release. */
function withVersion(main: GoModule, flags: string): GoModule {
  if (main.version !== "" && !untagged.test(main.version)) return main;
  return { ...main, version: linkedVersion(flags, main.path) ?? "" };
}

/** The module that is built in after replacement. A folder contains an unknown version of the module that it replaces. */
function replaced(module: GoModule, by: GoModule): GoModule {
  if (folder.test(by.path)) return { path: module.path, version: "" };
  return by.path === module.path ? by : { ...by, importedAs: module.path };
}
