import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript-5";

/** The sources of packages as the compiler sees them: the exports of each entry of each package. */
export interface SourceProgram {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly packages: readonly SourcePackage[];
}

/** A package with its entries. */
export interface SourcePackage {
  readonly name: string;
  readonly entries: readonly SourceEntry[];
}

/** A path that callers import: `@plimsoll/core/versions/dpkg`. */
export interface SourceEntry {
  readonly specifier: string;
  /** Whether only the packages of this repository import it: `@plimsoll/core/internal`. Nothing is promised of its names. */
  readonly isInternal: boolean;
  /** The exported declarations, by exported name. */
  readonly symbols: ReadonlyMap<string, ts.Symbol>;
}

/** The compiler options for sources and for programs that use them. */
export const sourceOptions: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ESNext,
  lib: ["lib.esnext.full.d.ts"],
  customConditions: ["plimsoll-source"],
  allowImportingTsExtensions: true,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
};

/**
 * Reads the sources of packages.
 * @param folders of packages, whose `exports` name their sources by the condition `plimsoll-source`
 */
export function openSources(root: string, folders: readonly string[]): SourceProgram {
  const found = folders.map((folder) => entriesOf(join(root, folder)));
  const rootNames = found.flatMap(({ entries }) => entries.map(({ file }) => file));
  const program = ts.createProgram({ rootNames, options: sourceOptions, host: sharingHost() });
  const checker = program.getTypeChecker();
  const packages = found.map(({ name, entries }) => ({
    name,
    entries: entries.map(({ file, ...entry }) => ({ ...entry, symbols: exportsOf(file, program, checker) })),
  }));
  return { program, checker, packages };
}

/** The parsed files of this process, by path. */
const parsed = new Map<string, ts.SourceFile>();

/** Reads files like the compiler, but parses each only once: programs have most files in common. */
function sharingHost(): ts.CompilerHost {
  const host = ts.createCompilerHost(sourceOptions);
  host.getSourceFile = (path, version) => {
    const text = host.readFile(path);
    const known = parsed.get(path);
    if (text === undefined) return undefined;
    if (known?.text === text) return known;
    const file = ts.createSourceFile(path, text, version);
    parsed.set(path, file);
    return file;
  };
  return host;
}

/** The declaration that an imported or re-exported name stands for. */
export function aliased(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function entriesOf(folder: string) {
  const { name, exports = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly name: string;
    readonly exports?: Readonly<Record<string, { readonly "plimsoll-source"?: string }>>;
  };
  const entries = Object.entries(exports).flatMap(([path, { "plimsoll-source": source }]) =>
    source === undefined || path.includes("*")
      ? []
      : [
          {
            specifier: name + path.slice(1),
            isInternal: path.split("/")[1] === "internal",
            file: join(folder, source),
          },
        ],
  );
  return { name, entries };
}

function exportsOf(file: string, program: ts.Program, checker: ts.TypeChecker): Map<string, ts.Symbol> {
  const source = program.getSourceFile(file);
  if (source === undefined) throw new Error(`${file}: expected a source file`);
  const module = checker.getSymbolAtLocation(source);
  const exported = module === undefined ? [] : checker.getExportsOfModule(module);
  return new Map(exported.map((symbol) => [symbol.name, aliased(symbol, checker)]));
}

/** The packages whose exports are documented. */
export const libraryPackages = [
  "core",
  "console",
  "http",
  "registry",
  "registry-adapters",
  "indexer",
  "matcher",
  "notifier",
  "outbound",
  "registry-api",
  "scanner",
  "scanner-api",
  "server",
  "store",
] as const;

/** The packages whose names follow semantic versioning: programs of users import them. */
export const promisedPackages = ["core", "scanner"] as const;

/** The sources of all packages that an example may import from; those that are documented first. */
export function openLibrarySources(): SourceProgram {
  const root = join(import.meta.dirname, "../..");
  const others = readdirSync(join(root, "packages")).filter((name) => name !== "testing");
  const names = new Set([...libraryPackages, ...others.sort()]);
  return openSources(
    root,
    [...names].map((name) => `packages/${name}`),
  );
}
