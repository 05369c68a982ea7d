import { contentOf } from "../../bytes/byte-parts.ts";
import type { DetectOptions, FileDetector, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import type { Program } from "../../programs/program.ts";
import { readPrograms } from "../../programs/read-programs.ts";
import { isOfDependency } from "../language/package-folders.ts";
import { asFile, provenPackage } from "../language/proof.ts";
import { readBuildInfo } from "./build-info.ts";
import { eachName, findFunctionNames } from "./function-names.ts";
import { type GoModule, type GoModules, parseModules } from "./modules.ts";
import { partOfModule, standardLibrary, toolchain, toolchain as toolchainName } from "./parts.ts";

/**
 * Finds the modules and the standard library of Go programs, by their build information. A program without it is evidence of packages that are not known,
 * unless it is a part of a package of a language.
 */
export const goDetector: FileDetector = {
  name: "go-build-information",
  revision: 7,
  names: {},
  wants: () => false,
  programs: "go",
  *detect(file: LayerFile, options?: DetectOptions): Iterable<Finding> {
    const seen = new Set<string>(); // the slices of a Mach-O file mostly have the same modules
    for (const program of readPrograms(contentOf(file))) {
      for (const finding of findingsOf(program, file, options)) {
        const key = JSON.stringify(finding);
        if (!seen.has(key)) yield finding;
        seen.add(key);
      }
    }
  },
};

function* findingsOf(program: Program, file: LayerFile, options: DetectOptions | undefined): Iterable<Finding> {
  const info = readBuildInfo(program);
  if (info === undefined) return yield* findingsWithout(file);
  const { toolchain, modules } = info;
  const found = parseModules(modules);
  const linked = linkedPackages(program);
  const parts = linked === undefined ? undefined : packagesByModule(linked, found);
  const requires = [standardLibrary, ...found.dependencies.map(({ path }) => path)]; // which module needs which is not in the program
  for (const { path: name, version, commit } of packagesOf(found, toolchainVersion(toolchain))) {
    const linkedParts = parts?.get(name);
    const ofMain = commit === undefined ? {} : { mainModule: commit };
    const isMain = name === found.main?.path;
    const details = isMain ? { requires } : undefined;
    const proven = provenPackage(file, { name, version, ...ofMain, linkedParts, details });
    yield isMain ? asFile(proven, "program", options) : proven;
  }
  const { main, mainPackage = "", dependencies } = found;
  const isOfGo = mainPackage.startsWith("cmd/");
  const namesModules = main !== undefined || dependencies.length > 0;
  if (!namesModules && !isOfGo) yield { kind: "evidence", path: file.path, packages: "go", pieces: 1 };
}

/** Of a program whose linker has left out the build information, or which Go before 1.13 has made. */
function* findingsWithout({ path, archive }: LayerFile): Iterable<Finding> {
  if (archive !== undefined || isOfDependency(path)) return;
  yield { kind: "evidence", path, packages: "go", pieces: 1, unlessOwned: true };
}

function* packagesOf({ mainPackage, main, dependencies }: GoModules, version: string): Iterable<GoModule> {
  yield { path: standardLibrary, version };
  if (mainPackage === "cmd/go") yield { path: toolchainName, version };
  if (main !== undefined) yield main;
  yield* dependencies;
}

/** `1.22.1` of `go1.22.1 X:boringcrypto`; empty for a toolchain that is not a release: `devel go1.24-7ca5f0`. */
function toolchainVersion(toolchain: string): string {
  return /^go(\S+)/.exec(toolchain)?.[1] ?? "";
}

const decoder = new TextDecoder("latin1");
const dot = 0x2e;

/** More packages than any program has. Limits the memory for a hostile file. */
const maxPackages = 20_000;

/**
 * The import paths of the packages whose functions a Go program has. Functions that are never called are not linked. Undefined if the names cannot
 * be read: the program was linked before Go 1.16 or by another compiler, or its names were obfuscated.
 */
export function linkedPackages(program: Program): ReadonlySet<string> | undefined {
  const names = findFunctionNames(program);
  if (names === undefined) return undefined;
  const found = new Set<string>();
  let last: Uint8Array = new Uint8Array(0);
  for (const name of eachName(program.bytes, names)) {
    if (last.length > 0 && beginsWith(name, last) && name[last.length] === dot) continue;
    const path = packageOf(decoder.decode(name));
    if (path === undefined) continue;
    last = name.slice(0, path.length);
    if (found.size < maxPackages) found.add(unescaped(path));
  }
  return found.has("runtime") ? found : undefined;
}

function beginsWith(name: Uint8Array, start: Uint8Array): boolean {
  for (let at = 0; at < start.length; at++) if (name[at] !== start[at]) return false;
  return true;
}

/**
 * The package of a function: `a.example/b` of `a.example/b.(*T).M` and of `a.example/b.F[go.shape.int]`. A dot in the last part of a
 * path is escaped. Names with a colon belong to functions that the compiler generates.
 */
function packageOf(name: string): string | undefined {
  const plain = /^[^[(]*/.exec(name)?.[0] ?? "";
  const end = plain.indexOf(".", plain.lastIndexOf("/") + 1);
  if (end <= 0) return undefined;
  const path = plain.slice(0, end);
  return /[:\s]/.test(path) ? undefined : path;
}

function unescaped(path: string): string {
  if (!path.includes("%")) return path;
  return path.replaceAll(/%([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The linked packages of each module, by module name. A module without any is absent. */
type ModulePackages = ReadonlyMap<string, readonly string[]>;

/**
 * Groups the packages of a program by module. A package belongs to the module with the longest path that is a prefix of its own. Without such
 * a module, it belongs to the standard library if its path has no dot in the first part.
 * @param linked import paths of the packages of the program
 */
function packagesByModule(linked: ReadonlySet<string>, modules: GoModules): ModulePackages {
  const { mainPackage, main, dependencies } = modules;
  const known = new Map(
    [...(main === undefined ? [] : [main]), ...dependencies].map((each) => [importPath(each), each]),
  );
  const parts = new Map<string, string[]>();
  for (const path of withMain(linked, mainPackage)) {
    const [name, part] = findModule(path, known) ?? [];
    if (name === undefined || part === undefined) continue;
    const others = parts.get(name);
    if (others === undefined) parts.set(name, [part]);
    else others.push(part);
  }
  return new Map([...parts].map(([name, found]) => [name, found.sort()]));
}

/** The path by which the packages of a module are imported. For a replacement, it is the path of the replaced module. */
function importPath({ path, importedAs = path }: GoModule): string {
  return importedAs;
}

/** The packages with the import path of the main package in place of `main`, which its functions have in their names. */
function withMain(linked: ReadonlySet<string>, mainPackage: string | undefined): ReadonlySet<string> {
  if (!linked.has("main")) return linked;
  const others = [...linked].filter((path) => path !== "main");
  return new Set(mainPackage === undefined ? others : [...others, mainPackage]);
}

function findModule(path: string, modules: ReadonlyMap<string, GoModule>): readonly [string, string] | undefined {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    const imported = path.slice(0, end);
    const module = modules.get(imported);
    if (module !== undefined) return [module.path, partOfModule(imported, path)];
  }
  const [first = ""] = path.split("/", 1);
  if (first.includes(".")) return undefined;
  return [first === "cmd" ? toolchain : standardLibrary, path];
}
