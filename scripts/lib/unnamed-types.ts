import { relative } from "node:path";
import ts from "typescript-5";
import { isInternalMember } from "./signature.ts";
import { aliased, promisedPackages, type SourcePackage, type SourceProgram } from "./source-program.ts";

/**
 * A type that the interface of a package mentions, but that callers cannot name: no entry exports it. The internal entries count only for declarations of packages
 * that promise nothing.
 */
export interface UnnamedType {
  readonly packageName: string;
  /** The exported name whose declaration mentions it. */
  readonly mentionedBy: string;
  readonly name: string;
  /** The file that declares it, from the root of the clone. */
  readonly file: string;
}

/**
 * Finds the types that callers cannot name.
 * @param root the clone: types that are declared outside of its packages are not ours to export
 */
export function findUnnamedTypes({ checker, packages }: SourceProgram, root: string): UnnamedType[] {
  const exportedBy = new Map(packages.map((each) => [each, exportsOf(each)]));
  const promised = new Set([...exportedBy.values()].flatMap((symbols) => [...symbols.keys()]));
  const internal = new Set(packages.flatMap(({ entries }) => entries.flatMap(({ symbols }) => [...symbols.values()])));
  const found = new Map<ts.Symbol, UnnamedType>();
  for (const [{ name: packageName }, symbols] of exportedBy) {
    const isPromised = promisedPackages.some((name) => packageName === `@plimsoll/${name}`);
    const named = isPromised ? promised : internal;
    for (const [symbol, mentionedBy] of symbols) {
      for (const mentioned of mentionedTypes(symbol, checker, isPromised ? "all" : "used")) {
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

/** Types that only compute other types have the tag `@internal`: callers name the results. */
function isPlumbing(symbol: ts.Symbol): boolean {
  return symbol.getJsDocTags().some(({ name }) => name === "internal");
}

/** Callers name a row by its table: `IndexerTables["indexer_run"]`. */
function isNamedByTables(path: string): boolean {
  return path.includes("/store/tables");
}

function exportsOf({ entries }: SourcePackage): Map<ts.Symbol, string> {
  const promised = entries.filter(({ isInternal }) => !isInternal);
  return new Map(promised.flatMap(({ symbols }) => [...symbols].map(([name, symbol]) => [symbol, name] as const)));
}

/** The types that the public part of a declaration names: all of them, or those outside of its type parameters. */
function mentionedTypes(symbol: ts.Symbol, checker: ts.TypeChecker, which: "all" | "used"): ReadonlySet<ts.Symbol> {
  const mentioned = new Set<ts.Symbol>();
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node) || isPrivate(node) || isInternalMember(node)) return;
    if (which === "used" && ts.isTypeParameterDeclaration(node)) return;
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
  return `${packageName}: ${mentionedBy} mentions ${name} of ${file}, which no package exports to callers`;
}
