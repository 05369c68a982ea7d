import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript-5";

/** A type that the interface of a package mentions and no entry of a package exports, so that a caller cannot name it. */
export interface UnnamedType {
  readonly packageName: string;
  /** The exported name whose declaration mentions it. */
  readonly mentionedBy: string;
  readonly name: string;
  /** Where it is declared, from the root of the clone. */
  readonly file: string;
}

/**
 * Finds the types that callers cannot name.
 * @param folders of packages, whose `exports` name their sources by the condition `plimsoll-source`
 */
export function findUnnamedTypes(root: string, folders: readonly string[]): UnnamedType[] {
  const packages = folders.map((folder) => entriesOf(join(root, folder)));
  const program = ts.createProgram({
    rootNames: packages.flatMap(({ entries }) => entries),
    options: {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ESNext,
      lib: ["lib.esnext.full.d.ts"],
      customConditions: ["plimsoll-source"],
      allowImportingTsExtensions: true,
      strict: true,
      noEmit: true,
      skipLibCheck: true,
    },
  });
  const checker = program.getTypeChecker();
  const exportedBy = new Map(packages.map((each) => [each, exportsOf(each.entries, program, checker)]));
  const named = new Set([...exportedBy.values()].flatMap((symbols) => [...symbols.keys()]));
  const found = new Map<ts.Symbol, UnnamedType>();
  for (const [{ name: packageName }, symbols] of exportedBy) {
    for (const [symbol, mentionedBy] of symbols) {
      for (const mentioned of mentionedTypes(symbol, checker)) {
        const file = mentioned.declarations?.[0]?.getSourceFile().fileName ?? "";
        const path = relative(root, file);
        if (named.has(mentioned) || found.has(mentioned) || !path.startsWith("packages/")) continue;
        if (isPlumbing(mentioned) || isNamedByTables(path)) continue;
        found.set(mentioned, { packageName, mentionedBy, name: mentioned.name, file: path });
      }
    }
  }
  return [...found.values()];
}

/** Types that compute others carry the tag `@internal`: what they compute is what callers name. */
function isPlumbing(symbol: ts.Symbol): boolean {
  return symbol.getJsDocTags().some(({ name }) => name === "internal");
}

/** A row is named by its table: `IndexerTables["indexer_run"]`. */
function isNamedByTables(path: string): boolean {
  return path.includes("/store/tables");
}

interface PackageEntries {
  readonly name: string;
  readonly entries: readonly string[];
}

function entriesOf(folder: string): PackageEntries {
  const { name, exports = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly name: string;
    readonly exports?: Readonly<Record<string, { readonly "plimsoll-source"?: string }>>;
  };
  const sources = Object.values(exports).flatMap((entry) => entry["plimsoll-source"] ?? []);
  return { name, entries: sources.map((source) => join(folder, source)) };
}

function exportsOf(entries: readonly string[], program: ts.Program, checker: ts.TypeChecker): Map<ts.Symbol, string> {
  const symbols = new Map<ts.Symbol, string>();
  for (const entry of entries) {
    const file = program.getSourceFile(entry);
    const module = file && checker.getSymbolAtLocation(file);
    if (module === undefined) throw new Error(`${entry}: expected a module`);
    for (const exported of checker.getExportsOfModule(module)) symbols.set(aliased(exported, checker), exported.name);
  }
  return symbols;
}

function aliased(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The types that the public part of a declaration names. */
function mentionedTypes(symbol: ts.Symbol, checker: ts.TypeChecker): ReadonlySet<ts.Symbol> {
  const mentioned = new Set<ts.Symbol>();
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node) || isPrivate(node) || ts.isTypeParameterDeclaration(node)) return;
    if (ts.isTypeReferenceNode(node)) add(node.typeName);
    if (ts.isExpressionWithTypeArguments(node)) add(node.expression);
    ts.forEachChild(node, visit);
  };
  const add = (name: ts.Node) => {
    const found = checker.getSymbolAtLocation(name);
    const type = found && aliased(found, checker);
    if (type !== undefined && !(type.flags & ts.SymbolFlags.TypeParameter)) mentioned.add(type);
  };
  for (const declaration of symbol.declarations ?? []) {
    if (ts.isVariableDeclaration(declaration)) declaration.type && visit(declaration.type);
    else visit(declaration);
  }
  return mentioned;
}

function isPrivate(node: ts.Node): boolean {
  return ts.isClassElement(node) && node.name !== undefined && ts.isPrivateIdentifier(node.name);
}

/** The problem in one line. */
export function describeUnnamed({ packageName, mentionedBy, name, file }: UnnamedType): string {
  return `${packageName}: ${mentionedBy} mentions ${name} of ${file}, which no package exports`;
}
