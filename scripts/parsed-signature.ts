/** The parameters of a function, as the TypeScript compiler reads them. */
import ts from "typescript-5";

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
