/** The rule for parameters of functions: at most three, and no boolean, whose meaning a call does not show. */
import ts from "typescript-5";

const most = 3;

/** Exceptions, as `PATH NAME`, each with its reason. */
const allowed: ReadonlyMap<string, string> = new Map([
  ["tests/browser/console-screenshots.browser.test.ts getImageData", "it is a method of the browser's own canvas"],
]);

/** The problems of the parameters of a file's functions, as messages. */
export function signatureRule({ path, signatures }: SignedSource): string[] {
  return signatures.filter(({ name }) => !allowed.has(`${path} ${name}`)).flatMap(faultsOf);
}

interface SignedSource {
  readonly path: string;
  readonly signatures: readonly Signature[];
}

function faultsOf({ name, line, parameters }: Signature): string[] {
  const booleans = parameters.filter(({ isBoolean }) => isBoolean).map((each) => each.name);
  const place = `line ${line}: ${name}`;
  return [
    ...(parameters.length > most
      ? [`${place} has ${parameters.length} parameters: at most ${most}, the rest as an object with names`]
      : []),
    ...(booleans.length > 0
      ? [`${place} takes a boolean (${booleans.join(", ")}): a member of an object with names, or two functions`]
      : []),
  ];
}

/** The parameters of a function, a method, a constructor, or the type of one of these. */
export interface Signature {
  /** The name of the function, or of the variable, member or parameter whose value it is; `constructor`. */
  readonly name: string;
  readonly line: number;
  readonly parameters: readonly Parameter[];
}

/** One parameter. */
export interface Parameter {
  readonly name: string;
  /** Whether it is declared as a boolean or has one as its default. */
  readonly isBoolean: boolean;
}

/** The signature of a function; undefined for an argument of a call, whose parameters the called function determines. */
export function signatureOf(node: ts.SignatureDeclaration): Signature | undefined {
  if (isGiven(node)) return undefined;
  const source = node.getSourceFile();
  const parameters = node.parameters.filter(({ name }) => name.getText() !== "this");
  return {
    name: nameOf(node),
    line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1,
    parameters: parameters.map((each) => ({ name: each.name.getText(), isBoolean: isBoolean(each) })),
  };
}

function isGiven(node: ts.SignatureDeclaration): boolean {
  if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return false;
  const { parent } = node;
  return (ts.isCallExpression(parent) || ts.isNewExpression(parent)) && (parent.arguments?.includes(node) ?? false);
}

function nameOf(node: ts.SignatureDeclaration): string {
  if (ts.isConstructorDeclaration(node)) return "constructor";
  const holder = node.name ?? (node.parent as { readonly name?: ts.Node }).name;
  return holder?.getText() ?? "a function";
}

function isBoolean({ type, initializer }: ts.ParameterDeclaration): boolean {
  if (initializer !== undefined && isBooleanLiteral(initializer)) return true;
  if (type === undefined) return false;
  return ts.isUnionTypeNode(type) ? type.types.some(isBooleanType) : isBooleanType(type);
}

function isBooleanType(type: ts.TypeNode): boolean {
  return type.kind === ts.SyntaxKind.BooleanKeyword || (ts.isLiteralTypeNode(type) && isBooleanLiteral(type.literal));
}

function isBooleanLiteral({ kind }: ts.Node): boolean {
  return kind === ts.SyntaxKind.TrueKeyword || kind === ts.SyntaxKind.FalseKeyword;
}
