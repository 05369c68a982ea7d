import { spawnSync } from "node:child_process";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import ts from "typescript-5";
import { type SourceEntry, type SourcePackage, type SourceProgram, sourceOptions } from "./source-program.ts";

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

/** An example as a program, with the name of the export that it belongs to. */
export interface ExampleProgram {
  readonly name: string;
  readonly text: string;
}

/** Compiles the examples against the sources. @returns one line for each compiler error */
export function compileExamples(
  examples: readonly ExampleProgram[],
  sources: SourceProgram,
  folder: string,
): readonly string[] {
  const byFile = new Map(examples.map((each, index) => [join(folder, `example-${index}.ts`), each]));
  const options = { ...sourceOptions, types: ["node"], typeRoots: [join(folder, "../node_modules/@types")] };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (path) => byFile.has(path) || fileExists(path);
  host.getSourceFile = (path, version, ...rest) => {
    const example = byFile.get(path);
    const known = sources.program.getSourceFile(path);
    if (example === undefined) return known ?? getSourceFile(path, version, ...rest);
    return ts.createSourceFile(path, `${example.text}\nexport {};\n`, version);
  };
  const program = ts.createProgram({ rootNames: [...byFile.keys()], options, host, oldProgram: sources.program });
  return [...byFile].flatMap(([path, { name }]) => {
    const file = program.getSourceFile(path);
    const problems = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return problems.map((each) => `${name}: ${ts.flattenDiagnosticMessageText(each.messageText, " ")}`);
  });
}

/** Whether a comment of the program is the value of its line: `compare("1.0~rc1", "1.0"); // -1`. */
export function saysValues({ text }: ExampleProgram): boolean {
  return parse(text).statements.some((statement) => valueBehind(statement) !== undefined);
}

/** Runs programs, all in one process, and compares the values of lines with their comments. @returns one line for each difference */
export function runExamples(examples: readonly ExampleProgram[], folder: string): readonly string[] {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ["--conditions=plimsoll-source", "--input-type=module"],
    { cwd: folder, input: oneProgram(examples), encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`the examples ended with ${status}: ${stderr}`);
  return JSON.parse(stdout);
}

function oneProgram(examples: readonly ExampleProgram[]): string {
  const parts = examples.map(({ name, text }) => `example = ${JSON.stringify(name)};\n{\n${checkedProgram(text)}\n}`);
  return stripTypeScriptTypes([preamble, ...parts, "console.log(JSON.stringify(problems));"].join("\n"));
}

const preamble = `
import { isDeepStrictEqual } from "node:util";
let example = "";
const problems: string[] = [];
const check = (found: unknown, expected: unknown, line: string) => {
  if (!isDeepStrictEqual(found, expected)) problems.push(example + ": " + line + " yields " + JSON.stringify(found));
};`;

/** The program without import statements, and with `check(expression, value, line)` where a comment says the value. */
function checkedProgram(text: string): string {
  return parse(text)
    .statements.map((statement) => {
      if (ts.isImportDeclaration(statement)) return importCall(statement);
      const value = valueBehind(statement);
      if (!ts.isExpressionStatement(statement) || value === undefined) return statement.getText();
      return `check(${statement.expression.getText()}, ${value}, ${JSON.stringify(statement.getText())});`;
    })
    .join("\n");
}

function importCall({ importClause, moduleSpecifier }: ts.ImportDeclaration): string {
  const bindings = importClause?.namedBindings;
  if (importClause === undefined || importClause.isTypeOnly || !bindings || !ts.isNamedImports(bindings)) return "";
  const names = bindings.elements.filter(({ isTypeOnly }) => !isTypeOnly).map(({ name }) => name.text);
  return `const { ${names.join(", ")} } = await import(${moduleSpecifier.getText()});`;
}

function valueBehind(statement: ts.Statement): string | undefined {
  const text = statement.getSourceFile().text;
  const [comment] = ts.getTrailingCommentRanges(text, statement.end) ?? [];
  if (comment === undefined || !ts.isExpressionStatement(statement)) return undefined;
  const value = `(${text.slice(comment.pos + "//".length, comment.end).trim()})`;
  const [expression, ...more] = parse(value).statements;
  if (expression === undefined || more.length > 0 || !ts.isExpressionStatement(expression)) return undefined;
  return isValue(expression.expression) ? value : undefined;
}

/** Whether an expression is a literal, or an array or an object of literals. Other comments are words. */
function isValue(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isValue(node.expression);
  if (ts.isPrefixUnaryExpression(node)) return ts.isNumericLiteral(node.operand);
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isValue);
  if (ts.isObjectLiteralExpression(node)) {
    return node.properties.every((each) => ts.isPropertyAssignment(each) && isValue(each.initializer));
  }
  if (ts.isIdentifier(node)) return node.text === "undefined";
  return ts.isLiteralExpression(node) || booleans.includes(node.kind);
}

const booleans: readonly ts.SyntaxKind[] = [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword];

function parse(text: string): ts.SourceFile {
  return ts.createSourceFile("example.ts", text, ts.ScriptTarget.ESNext, true);
}
