import ts from "typescript-5";
import { isInternalMember, signatureOf } from "./signature.ts";
import {
  aliased,
  type promisedPackages,
  type SourceEntry,
  type SourcePackage,
  type SourceProgram,
} from "./source-program.ts";

/** An export of a package, with the parts of its docstring. */
export interface LibraryExport {
  readonly name: string;
  readonly kind: "function" | "class" | "constant" | "type";
  readonly signature: string;
  readonly meaning: string;
  readonly parameters: readonly string[];
  readonly returns: readonly string[];
  readonly throws: readonly string[];
  readonly see: readonly string[];
  /** TypeScript, without the imports of what packages export. */
  readonly examples: readonly string[];
  /** The entry that documents it, where that is another one. */
  readonly documentedAt?: string;
}

/** An entry of a package with its exports in the order of a reference: functions, classes, constants and types, each by name. */
export interface LibraryEntry {
  readonly specifier: string;
  readonly isInternal: boolean;
  readonly exports: readonly LibraryExport[];
}

/** Describes the exports of a package. Exports that another package declares are documented there. */
export function libraryEntries(sources: SourceProgram, name: string): LibraryEntry[] {
  const { packages, checker } = sources;
  const own = packages.find((each) => each.name === name);
  if (own === undefined) throw new Error(`${name}: expected one of ${packages.map((each) => each.name).join(", ")}`);
  const home = homesOf(own, packages);
  return own.entries.map((entry) => ({
    specifier: entry.specifier,
    isInternal: entry.isInternal,
    exports: [...entry.symbols]
      .map(([exported, symbol]) => describeExport(exported, symbol, { checker, place: elsewhere(symbol, entry, home) }))
      .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || (a.name < b.name ? -1 : 1)),
  }));
}

const kinds: readonly LibraryExport["kind"][] = ["function", "class", "constant", "type"];

/** The entry that documents each declaration: the first of the package whose sources declare it. */
function homesOf(own: SourcePackage, packages: readonly SourcePackage[]): Map<ts.Symbol, SourceEntry> {
  const homes = new Map<ts.Symbol, SourceEntry>();
  const others = packages.filter((each) => each !== own);
  for (const { name, entries } of [own, ...others]) {
    for (const entry of entries) {
      for (const symbol of entry.symbols.values()) {
        if (isDeclaredIn(symbol, name) && !homes.has(symbol)) homes.set(symbol, entry);
      }
    }
  }
  return homes;
}

function isDeclaredIn(symbol: ts.Symbol, packageName: string): boolean {
  const file = symbol.declarations?.[0]?.getSourceFile().fileName ?? "";
  return file.includes(`/packages/${packageName.split("/").at(-1)}/`);
}

function elsewhere(symbol: ts.Symbol, entry: SourceEntry, homes: ReadonlyMap<ts.Symbol, SourceEntry>) {
  const home = homes.get(symbol);
  return home === undefined || home === entry ? {} : { documentedAt: home.specifier };
}

function describeExport(
  name: string,
  symbol: ts.Symbol,
  { checker, place }: { readonly checker: ts.TypeChecker; readonly place: { readonly documentedAt?: string } },
): LibraryExport {
  const documented = documentationOf(symbol, checker);
  const tags = (tag: string) => documented.tags.filter(({ name: each }) => each === tag).map(({ text }) => text.trim());
  return {
    name,
    kind: kindOf(symbol, checker),
    signature: signatureOf(name, symbol, checker),
    meaning: documented.meaning,
    parameters: tags("param"),
    returns: tags("returns"),
    throws: tags("throws"),
    see: tags("see"),
    examples: tags("example"),
    ...place,
  };
}

function kindOf(symbol: ts.Symbol, checker: ts.TypeChecker): LibraryExport["kind"] {
  if (symbol.flags & ts.SymbolFlags.Class) return "class";
  if (symbol.flags & ts.SymbolFlags.Function) return "function";
  if (!(symbol.flags & ts.SymbolFlags.Variable)) return "type";
  return checker.getTypeOfSymbol(symbol).getCallSignatures().length > 0 ? "function" : "constant";
}

/** The docstring; a name of `const { compare } = …` has that of the property, and the statement's own tags. */
function documentationOf(symbol: ts.Symbol, checker: ts.TypeChecker) {
  const meaning = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  const tags = symbol.getJsDocTags(checker).map(({ name, text }) => ({ name, text: ts.displayPartsToString(text) }));
  const [declaration] = symbol.declarations ?? [];
  if (declaration === undefined || !ts.isBindingElement(declaration)) return { meaning, tags };
  const statement = ts.findAncestor(declaration, ts.isVariableStatement);
  const docs = statement === undefined ? [] : ts.getJSDocCommentsAndTags(statement).filter(ts.isJSDoc);
  const ownTags = docs.flatMap((doc) => [...(doc.tags ?? [])]);
  const property = checker.getTypeAtLocation(declaration.parent).getProperty(symbol.name);
  return {
    meaning: ts.displayPartsToString(property?.getDocumentationComment(checker)),
    tags: ownTags.map(({ tagName, comment }) => ({
      name: tagName.text,
      text: ts.getTextOfJSDocComment(comment) ?? "",
    })),
  };
}

/**
 * The text of packages/NAME/api.txt: every promised name of a package with its declaration, without comments. A change of this file
 * is a change for users.
 */
export function apiReport(sources: SourceProgram, name: (typeof promisedPackages)[number]): string {
  const entries = libraryEntries(sources, `@plimsoll/${name}`).filter(({ isInternal }) => !isInternal);
  return [
    `What @plimsoll/${name} promises: its names and their declarations. npm run docs writes this file.`,
    "A name that is removed or changed is a change for users: it needs a file in .changeset, and a new major version after 1.0.",
    "",
    ...entries.flatMap(linesOf),
    "# Types that these declarations mention: no names of their own, and promised as far as they are parts of what is above",
    "",
    ...mentionedParts(sources, name),
    "",
  ].join("\n");
}

/** The declarations of this package that its names mention, directly or through others. */
function mentionedParts({ packages, checker }: SourceProgram, name: string): readonly string[] {
  const own = packages.find((each) => each.name === `@plimsoll/${name}`);
  const promised = new Set(
    own?.entries.filter(({ isInternal }) => !isInternal).flatMap((entry) => [...entry.symbols.values()]),
  );
  const found = new Set<ts.Symbol>(promised);
  for (const symbol of found) {
    for (const mentioned of mentionedTypes(symbol, checker, "all")) {
      if (isDeclaredIn(mentioned, name)) found.add(mentioned);
    }
  }
  const parts = [...found].filter((symbol) => !promised.has(symbol));
  return parts.map((symbol) => promisedPart(signatureOf(symbol.name, symbol, checker))).sort();
}

/** Whether a declaration is an interface or another name of a type. */
export function isType(symbol: ts.Symbol): boolean {
  return (symbol.flags & ts.SymbolFlags.Value) === 0;
}

/** The types that the public part of a declaration names: all of them, or those outside of its type parameters. */
export function mentionedTypes(
  symbol: ts.Symbol,
  checker: ts.TypeChecker,
  which: "all" | "used",
): ReadonlySet<ts.Symbol> {
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

function linesOf({ specifier, exports }: LibraryEntry): string[] {
  return [
    `# ${specifier}`,
    "",
    ...exports.flatMap(({ name, kind, signature, documentedAt }) =>
      documentedAt === undefined ? [promisedPart(signature)] : [`${kind} ${name} of ${documentedAt}`],
    ),
    "",
  ];
}

const printer = ts.createPrinter({ removeComments: true });

/** The declaration without comments, and without members that are not promised. */
function promisedPart(declaration: string): string {
  const file = ts.createSourceFile("api.d.ts", declaration, ts.ScriptTarget.ESNext, true);
  const { transformed } = ts.transform(file, [
    (context) => (root) => {
      const visit = (node: ts.Node): ts.Node | undefined =>
        isInternalMember(node) ? undefined : ts.visitEachChild(node, visit, context);
      return ts.visitEachChild(root, visit, context);
    },
  ]);
  return transformed
    .map((each) => printer.printFile(each))
    .join("")
    .trimEnd();
}
