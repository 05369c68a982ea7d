/**
 * The modules that a Go program is built from, as its build information lists them:
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
  /** Empty where none is known. */
  readonly version: string;
  /** By which path its packages are imported, where it replaces another module. */
  readonly importedAs?: string;
}

/** What a program is built from. */
export interface GoModules {
  /** The package with `main`: `cmd/go`. */
  readonly mainPackage?: string;
  /** The module that `mainPackage` is of; absent where the program was built without modules. */
  readonly main?: GoModule;
  readonly dependencies: readonly GoModule[];
}

/** What the linker says instead of a version of files that are no release. */
const develVersion = "(devel)";
/**
 * A version that Go makes of a commit with no tag before it. Of a main module that is often no more than a copy without the tags:
 * it says nothing of the order among releases.
 */
const untagged = /^v\d+\.0\.0-\d{14}-[0-9a-f]{12}(?:\+|$)/;
const linkerFlags = "-ldflags=";
/** A folder that stands for a module. */
const folder = /^(?:\.{0,2}[/\\]|[A-Za-z]:[/\\]|\.{1,2}$)/;

/** Reads the lines. Unknown ones are left out. */
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

/** A main module that tells no release may have been given one when it was linked. */
function withVersion(main: GoModule, flags: string): GoModule {
  if (main.version !== "" && !untagged.test(main.version)) return main;
  return { ...main, version: linkedVersion(flags, main.path) ?? "" };
}

/** What is really built in. Files in a folder are some state of the module that they replace. */
function replaced(module: GoModule, by: GoModule): GoModule {
  if (folder.test(by.path)) return { path: module.path, version: "" };
  return by.path === module.path ? by : { ...by, importedAs: module.path };
}
