import ts from "typescript-5";
import type { SourceEntry, SourcePackage } from "./source-program.ts";

/**
 * An example of a docstring as a program of its own: it imports what packages export under the names that it uses.
 * A name is the export of the example's own entry, otherwise of its package, otherwise of the first package that has it.
 */
export function exampleProgram(example: string, specifier: string, packages: readonly SourcePackage[]): string {
  const entries = inOrderOf(specifier, packages);
  const source = ts.createSourceFile("example.ts", example, ts.ScriptTarget.ESNext, true);
  const imports = new Map<string, string[]>();
  for (const name of freeNames(source)) {
    const entry = entries.find(({ symbols }) => symbols.has(name));
    const symbol = entry?.symbols.get(name);
    if (entry === undefined || symbol === undefined) continue;
    const isType = !(symbol.flags & ts.SymbolFlags.Value);
    imports.set(entry.specifier, [...(imports.get(entry.specifier) ?? []), isType ? `type ${name}` : name]);
  }
  const own = source.statements.filter(ts.isImportDeclaration).map((each) => each.getText());
  const added = [...imports].map(([from, names]) => importOf(names, from));
  const body = source.statements.filter((each) => !ts.isImportDeclaration(each));
  const start = body[0]?.getFullStart() ?? source.end;
  const head = [...own, ...added].sort((a, b) => (moduleOf(a) < moduleOf(b) ? -1 : 1));
  return [...head, ...(head.length > 0 ? [""] : []), example.slice(start).trim()].join("\n");
}

function inOrderOf(specifier: string, packages: readonly SourcePackage[]): SourceEntry[] {
  const own = packages.filter(({ entries }) => entries.some((each) => each.specifier === specifier));
  const entries = [...own, ...packages].flatMap((each) => each.entries);
  return [...entries.filter((each) => each.specifier === specifier), ...entries];
}

function importOf(names: readonly string[], from: string): string {
  const bare = (name: string) => name.replace(/^type /, "");
  const sorted = names.toSorted((a, b) => (bare(a) < bare(b) ? -1 : 1));
  const areTypes = sorted.every((name) => name.startsWith("type "));
  const listed = (areTypes ? sorted.map(bare) : sorted).join(", ");
  return `import ${areTypes ? "type " : ""}{ ${listed} } from "${from}";`;
}

function moduleOf(line: string): string {
  return line.slice(line.indexOf('"'));
}

/** The names that an example uses but does not declare. */
function freeNames(source: ts.SourceFile): Set<string> {
  const used = new Set<string>();
  const declared = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) (isDeclaration(node) ? declared : isReference(node) ? used : new Set()).add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return new Set([...used].filter((name) => !declared.has(name)));
}

function isDeclaration(name: ts.Identifier): boolean {
  const { parent } = name;
  if (ts.isImportSpecifier(parent) || ts.isImportClause(parent) || ts.isNamespaceImport(parent)) return true;
  if (ts.isBindingElement(parent) || ts.isVariableDeclaration(parent)) return parent.name === name;
  return (ts.isParameter(parent) || ts.isFunctionDeclaration(parent)) && parent.name === name;
}

/** Whether the identifier stands for a value or a type, and does not name a member. */
function isReference(name: ts.Identifier): boolean {
  const { parent } = name;
  if (ts.isPropertyAccessExpression(parent) || ts.isQualifiedName(parent))
    return !("name" in parent && parent.name === name);
  return !((ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent)) && parent.name === name);
}
