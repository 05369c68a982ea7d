import { spawnSync } from "node:child_process";
import { stripTypeScriptTypes } from "node:module";
import ts from "typescript-5";
import type { ExampleProgram } from "./compile-examples.ts";

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
