/** What source files import, which names of the platform they use and which members they call, as the TypeScript compiler reads them. */
import ts from "typescript-5";
import { type Signature, signatureOf } from "./signature-rule.ts";

/** A source file as the rules see it: `packages/NAME/src/…` with its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/**
 * An import in any form: a declaration, `export … from`, `import()`, an imported type, `require()`, `createRequire(…)()`, or
 * `process.getBuiltinModule()`.
 */
export interface Import {
  readonly specifier: string;
  /** The names that are imported from the module, including `default` and `*` (all of it). */
  readonly names: readonly string[];
  /** Whether only types are imported. */
  readonly isOfTypes: boolean;
  /** Whether a type is imported where it is used: `import("a").A`. */
  readonly isTypeExpression?: true;
  /** Whether `createRequire` or `process.getBuiltinModule` loads it, which runs later than imports and reads no other exports. */
  readonly isBuiltin?: true;
}

/** What a file uses and declares. */
export interface ParsedSource {
  readonly path: string;
  readonly imports: readonly Import[];
  /** Names that the file does not declare, with the used member: `fetch`, `Date.now`, `new Date()`. A leading `globalThis.` is left out. */
  readonly globals: ReadonlySet<string>;
  /** The names of called members: `selectFrom` of `db.selectFrom("robot")`. */
  readonly calledMembers: ReadonlySet<string>;
  /** Names of HTTP that the file declares or uses, such as `headers`; `status` only where it is a number. */
  readonly httpNames: ReadonlySet<string>;
  /** Texts, and parts of templates, that begin like the path of an address (`/v2/`, `/signin`, `/confirm?code=`) or name a method of HTTP. */
  readonly textsOfHttp: readonly string[];
  /** The texts in templates before each value: `expected a, found "` of `expected a, found "${b}"`. */
  readonly textsBeforeValues: readonly string[];
  /** The signatures of the file's functions. */
  readonly signatures: readonly Signature[];
  /** How many members of objects are spreads of one of two values: `...(a && { b })`, `...(a ? {} : { b })`. */
  readonly conditionalSpreads: number;
}

/** The names of the platform that rules check. Others are not resolved, which would take most of the time. */
const ofPlatform: ReadonlySet<string> = new Set([
  ...[
    "globalThis",
    "window",
    "self",
    "global",
    "process",
    "fetch",
    "Date",
    "Temporal",
    "Math",
    "performance",
    "crypto",
  ],
  ...[
    "setTimeout",
    "setInterval",
    "setImmediate",
    "AbortSignal",
    "navigator",
    "WebSocket",
    "EventSource",
    "XMLHttpRequest",
  ],
]);
/** Names that only code which speaks HTTP needs. */
const ofHttp: ReadonlySet<string> = new Set([
  ...[
    "Request",
    "RequestInit",
    "Response",
    "ResponseInit",
    "Headers",
    "HeadersInit",
    "IncomingMessage",
    "ServerResponse",
    "IncomingHttpHeaders",
    "FastifyRequest",
    "FastifyReply",
    "CallerRequest",
  ],
  ...["headers", "setHeader", "getHeader", "writeHead", "statusCode", "statusText"],
]);
const theGlobalObject: ReadonlySet<string> = new Set(["globalThis", "window", "self", "global"]);
const options: ts.CompilerOptions = {
  noLib: true,
  noResolve: true,
  types: [],
  allowImportingTsExtensions: true,
  jsx: ts.JsxEmit.Preserve,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
};

/** Reads files with the compiler. Imports are not followed: a name counts as declared only if its own file declares it. */
export function parseSources(files: readonly SourceFile[]): ParsedSource[] {
  const texts = new Map(files.map(({ path, text }) => [`/${path}`, text]));
  const program = ts.createProgram([...texts.keys()], options, hostOf(texts));
  const checker = program.getTypeChecker();
  return files.map(({ path }) => {
    const source = program.getSourceFile(`/${path}`);
    if (source === undefined) throw new Error(`${path} is not a file that the compiler reads`);
    return { path, ...usesOf(source, checker) };
  });
}

function hostOf(texts: ReadonlyMap<string, string>): ts.CompilerHost {
  return {
    getSourceFile: (path, version) => {
      const text = texts.get(path);
      return text === undefined ? undefined : ts.createSourceFile(path, text, version, true);
    },
    fileExists: (path) => texts.has(path),
    readFile: (path) => texts.get(path),
    getDefaultLibFileName: () => "lib.d.ts",
    getCurrentDirectory: () => "/",
    getCanonicalFileName: (path) => path,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => "\n",
    writeFile: () => {},
  };
}

function usesOf(source: ts.SourceFile, checker: ts.TypeChecker): Omit<ParsedSource, "path"> {
  const imports: Import[] = [];
  const globals = new Set<string>();
  const calledMembers = new Set<string>();
  const httpNames = new Set<string>();
  const textsOfHttp: string[] = [];
  const textsBeforeValues: string[] = [];
  const signatures: Signature[] = [];
  let conditionalSpreads = 0;
  visit(source);
  return { imports, globals, calledMembers, httpNames, textsOfHttp, textsBeforeValues, signatures, conditionalSpreads };

  function visit(node: ts.Node): void {
    const imported = importOf(node);
    if (imported !== undefined) imports.push(imported);
    if (ts.isIdentifier(node) && ofPlatform.has(node.text) && isUse(node) && isUndeclared(node, checker))
      for (const name of globalNames(node)) globals.add(name);
    if (ts.isCallExpression(node)) calledMembers.add(memberOf(node.expression) ?? "");
    if (ts.isIdentifier(node) && (ofHttp.has(node.text) || isNumericStatus(node))) httpNames.add(node.text);
    if (isText(node) && /^\/[a-z][\w-]*(?:[/?]|$)|\b(?:DELETE|GET|PATCH|POST|PUT)\b/.test(node.text))
      textsOfHttp.push(node.text);
    if (ts.isTemplateHead(node) || ts.isTemplateMiddle(node)) textsBeforeValues.push(node.text);
    if (ts.isSpreadAssignment(node) && isConditional(node.expression)) conditionalSpreads += 1;
    const signature = ts.isFunctionLike(node) ? signatureOf(node) : undefined;
    if (signature !== undefined) signatures.push(signature);
    ts.forEachChild(node, visit);
  }
}

function isText(node: ts.Node): node is ts.LiteralLikeNode {
  return ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);
}

function isConditional(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isConditional(node.expression);
  const isAnd = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
  return isAnd || ts.isConditionalExpression(node);
}

function importOf(node: ts.Node): Import | undefined {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier))
    return { specifier: node.moduleSpecifier.text, ...importedNames(node.importClause) };
  if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier))
    return { specifier: node.moduleSpecifier.text, ...exportedNames(node) };
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal))
    return { specifier: node.argument.literal.text, names: ["*"], isOfTypes: true, isTypeExpression: true };
  if (ts.isExternalModuleReference(node) && ts.isStringLiteral(node.expression))
    return { specifier: node.expression.text, names: ["*"], isOfTypes: false };
  const isBuiltin = ts.isCallExpression(node) && isBuiltinLoading(node.expression);
  if (ts.isCallExpression(node) && (isBuiltin || isLoading(node.expression))) {
    const [specifier] = node.arguments;
    const names = loadedNames(node);
    if (specifier && ts.isStringLiteralLike(specifier))
      return { specifier: specifier.text, names, isOfTypes: false, isBuiltin: isBuiltin || undefined };
  }
  return undefined;
}

function isBuiltinLoading(callee: ts.Expression): boolean {
  if (memberOf(callee) === "getBuiltinModule") return true;
  if (!ts.isCallExpression(callee)) return false;
  return ts.isIdentifier(callee.expression) && callee.expression.text === "createRequire";
}

function isLoading(callee: ts.Expression): boolean {
  return callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === "require");
}

/** The names of `const { a } = await import("b")` and `require("b").a`; all of the module where it is not taken apart at once. */
function loadedNames(call: ts.CallExpression): string[] {
  const outer = ts.isAwaitExpression(call.parent) ? call.parent : call;
  const { parent } = outer;
  if (ts.isVariableDeclaration(parent) && ts.isObjectBindingPattern(parent.name)) return boundNames(parent.name);
  const member = memberOf(ts.isParenthesizedExpression(parent) ? parent.parent : parent);
  return [member ?? "*"];
}

function importedNames(clause: ts.ImportClause | undefined): Omit<Import, "specifier"> {
  if (clause === undefined) return { names: [], isOfTypes: false };
  const { name, namedBindings: bindings } = clause;
  const elements = bindings && ts.isNamedImports(bindings) ? [...bindings.elements] : [];
  const values = elements.filter((element) => !element.isTypeOnly);
  const whole = bindings && ts.isNamespaceImport(bindings) ? ["*"] : [];
  const first = name ? ["default"] : [];
  const isOfTypes = clause.isTypeOnly || (elements.length > 0 && values.length === 0 && first.length === 0);
  const named = (isOfTypes ? elements : values).map((element) => (element.propertyName ?? element.name).text);
  return { names: [...first, ...whole, ...named], isOfTypes };
}

function exportedNames({ exportClause, isTypeOnly }: ts.ExportDeclaration): Omit<Import, "specifier"> {
  const elements = exportClause && ts.isNamedExports(exportClause) ? [...exportClause.elements] : undefined;
  const names = elements?.map((element) => (element.propertyName ?? element.name).text) ?? ["*"];
  const isOfTypes = isTypeOnly || (elements?.every((element) => element.isTypeOnly) ?? false);
  return { names, isOfTypes };
}

/** Whether an identifier is evaluated: not a type, the name of a member or the name of a declaration. */
function isUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isBindingElement(parent)) return parent.initializer === node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  if (ts.isJsxAttribute(parent) || ts.isQualifiedName(parent)) return false;
  return !isInType(node);
}

function isInType(node: ts.Node): boolean {
  return ts.findAncestor(node, (each) => ts.isTypeNode(each) && !ts.isExpressionWithTypeArguments(each)) !== undefined;
}

function isUndeclared(node: ts.Identifier, checker: ts.TypeChecker): boolean {
  const symbol = ts.isShorthandPropertyAssignment(node.parent)
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node);
  return (symbol?.declarations ?? []).length === 0;
}

/** `Date` and `Date.now` of `Date.now()`, `fetch` of `globalThis["fetch"]`, `process.env` of `const { env } = process`. */
function globalNames(identifier: ts.Identifier): string[] {
  let [node, name]: [ts.Node, string] = [identifier, identifier.text];
  while (theGlobalObject.has(name)) {
    const member = memberOf(node.parent);
    if (member === undefined) return takenApart(node, "") ?? [name];
    [node, name] = [node.parent, member];
  }
  const { parent } = node;
  if (ts.isNewExpression(parent) && parent.expression === node)
    return [name, `new ${name}(${parent.arguments?.length ? "…" : ""})`];
  if (ts.isCallExpression(parent) && parent.expression === node) return [name, `${name}()`];
  const member = memberOf(parent);
  return [name, ...(member === undefined ? [] : [`${name}.${member}`]), ...(takenApart(node, `${name}.`) ?? [])];
}

/** Whether it is `status` in `status: number`, `status: 404` or `x.status === 404`. */
function isNumericStatus(node: ts.Identifier): boolean {
  const { parent } = node;
  if (node.text !== "status") return false;
  if (ts.isPropertySignature(parent) || ts.isPropertyDeclaration(parent) || ts.isParameter(parent))
    return /\bnumber\b/.test(parent.type?.getText() ?? "");
  if (ts.isPropertyAssignment(parent)) return ts.isNumericLiteral(parent.initializer);
  const compared = ts.isPropertyAccessExpression(parent) ? parent : node;
  return ts.isBinaryExpression(compared.parent) && ts.isNumericLiteral(compared.parent.right);
}

/** The members that `const { a, b } = node` reads. */
function takenApart(node: ts.Node, prefix: string): string[] | undefined {
  const { parent } = node;
  if (!ts.isVariableDeclaration(parent) || parent.initializer !== node) return undefined;
  return ts.isObjectBindingPattern(parent.name) ? boundNames(parent.name).map((name) => `${prefix}${name}`) : undefined;
}

function boundNames(pattern: ts.ObjectBindingPattern): string[] {
  return pattern.elements.map(({ propertyName, name }) => (propertyName ?? name).getText());
}

/** The member that an expression reads of its object: `a` of `x.a` and `x["a"]`. */
function memberOf(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression))
    return node.argumentExpression.text;
  return undefined;
}
