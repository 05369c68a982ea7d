/**
 * The modules of a Go program, as its build information lists them:
 *
 * ```text
 * line = "path" TAB package | "mod" TAB module | "dep" TAB module | "=>" TAB module | "build" TAB key "=" value
 * key = "-ldflags" | "vcs.revision" | "vcs.time" | …
 * module = path TAB version [TAB checksum]      "=>" replaces the module before it
 * ```
 * @see https://github.com/golang/go/blob/go1.26.0/src/runtime/debug/mod.go
 */

import { unknownCommit } from "../../model/package.ts";
import { develVersion, isUnreleased, untaggedCommit } from "./unreleased.ts";

/** A module. */
export interface GoModule {
  readonly path: string;
  /** Empty if unknown. */
  readonly version: string;
  /** The commit of a main module that is not a release: see `mainModuleKey`. */
  readonly commit?: string;
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

/** The settings that are read. */
const settingNames = ["-ldflags", "vcs.revision", "vcs.time"] as const;
type Settings = Partial<Record<(typeof settingNames)[number], string>>;
/** The path of a folder that replaces a module. */
const folder = /^(?:\.{0,2}[/\\]|[A-Za-z]:[/\\]|\.{1,2}$)/;

/** Parses the lines of modules. Unknown lines are ignored. */
export function parseModules(text: string): GoModules {
  let mainPackage: string | undefined;
  let main: GoModule | undefined;
  const dependencies: GoModule[] = [];
  let isMain = false;
  const settings: Settings = {};
  for (const line of text.split("\n")) {
    const [kind, path = "", version = ""] = line.split("\t", 3);
    if (kind === "path") mainPackage = path;
    if (kind === "build")
      for (const name of settingNames) if (path.startsWith(`${name}=`)) settings[name] = path.slice(name.length + 1);
    if (kind === "mod" || kind === "dep") isMain = kind === "mod";
    const found = { path, version: version === develVersion ? "" : version };
    if (kind === "mod") main = { path, version };
    else if (kind === "dep") dependencies.push(found);
    else if (kind === "=>" && isMain && main !== undefined) main = replaced(main, found);
    else if (kind === "=>" && !isMain) dependencies.push(replaced(dependencies.pop() ?? found, found));
  }
  return {
    dependencies,
    mainPackage,
    main: main && withVersion(main, settings),
  };
}

/** The main module; if it is not a release, with the version from the linker flags, or else with its commit. */
function withVersion(main: GoModule, settings: Settings): GoModule {
  if (!isUnreleased(main.version)) return main;
  const linked = linkedVersion(settings["-ldflags"] ?? "", main.path);
  if (linked !== undefined) return { ...main, version: linked };
  return { ...main, commit: untaggedCommit(main.version) ?? commitOf(settings) ?? unknownCommit };
}

/** The commit as Go would write it into a version. Before Go 1.24 it is not in the version of a main module. */
function commitOf({ "vcs.time": time = "", "vcs.revision": revision = "" }: Settings): string | undefined {
  const [, ...parts] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?Z$/.exec(time) ?? [];
  return parts.length > 0 && /^[0-9a-f]{40,64}$/.test(revision)
    ? `${parts.join("")}-${revision.slice(0, 12)}`
    : undefined;
}

/** The module that is built in after replacement. A folder contains an unknown version of the module that it replaces. */
function replaced(module: GoModule, by: GoModule): GoModule {
  if (folder.test(by.path)) return { path: module.path, version: "" };
  return by.path === module.path ? by : { ...by, importedAs: module.path };
}

/**
 * The version that the linker flags in the build information give a program:
 *
 * ```text
 * flags = {… "-X" package "." variable "=" value …}      a flag with blanks is in quotes; quotes in quotes follow a backslash
 * ```
 * @see https://pkg.go.dev/cmd/link
 */
const setting =
  /-X[ =]\\?["']?([^\s'"\\=]{1,200})\.(\w{1,60})=v?(\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)[.\d]*)?)(?=['"\\\s]|$)/g;
/** Packages of other modules whose variables are there for the version of the program that is built. */
const versionPackages: ReadonlySet<string> = new Set([
  "github.com/prometheus/common/version",
  "k8s.io/client-go/pkg/version",
  "k8s.io/component-base/version",
]);
/** `version`, `Version`, `gitVersion`, `buildVersion`. */
const versionVariable = /^(?:[a-z]+V|[Vv])ersion$/;

/**
 * The version to which the flags set variables of the main module, of its command or of {@link versionPackages}; undefined if there is none, or if several differ.
 * @param flags the value of the setting `-ldflags`
 */
function linkedVersion(flags: string, mainModule: string): string | undefined {
  const found = new Set<string>();
  for (const [, place = "", variable = "", version = ""] of flags.matchAll(setting)) {
    const isOwn =
      place === "main" || place === mainModule || place.startsWith(`${mainModule}/`) || versionPackages.has(place);
    if (isOwn && versionVariable.test(variable)) found.add(`v${version}`);
  }
  const [version] = found;
  return found.size === 1 ? version : undefined;
}
