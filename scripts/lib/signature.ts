import ts from "typescript-5";

/** The declaration of an export as callers see it: without bodies and private members, with docstrings of members. */
export function signatureOf(name: string, symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const declarations = symbol.declarations ?? [];
  const overloads = declarations.filter((each) => ts.isFunctionDeclaration(each) && each.body === undefined);
  const shown = overloads.length > 0 ? overloads : declarations;
  return shown.map((declaration) => declared(name, { declaration, symbol }, checker)).join("\n");
}

function declared(
  name: string,
  { declaration, symbol }: { readonly declaration: ts.Declaration; readonly symbol: ts.Symbol },
  checker: ts.TypeChecker,
): string {
  if (ts.isFunctionDeclaration(declaration)) return `function ${name}${callOf(declaration, checker)}`;
  if (ts.isClassDeclaration(declaration)) return classOf(name, declaration, checker);
  const members = ts.isTypeAliasDeclaration(declaration) ? membersOf(declaration.type, checker) : [];
  if (members.length > 0) return `type ${name} = ${members.join(" | ")};`;
  if (ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration)) {
    return outdent(declaration.getText().replace(/^export /, ""), declaration);
  }
  const given = ts.isVariableDeclaration(declaration) ? declaration.type?.getText() : undefined;
  return `const ${name}: ${given ?? typeText(checker.getTypeOfSymbol(symbol), checker)}`;
}

/** The members of a type that is made of a list or of the names of a table, in their order: `(typeof severities)[number]`. */
function membersOf(node: ts.TypeNode, checker: ts.TypeChecker): readonly string[] {
  const query = queryIn(node);
  if (query === undefined) return [];
  const type = checker.getTypeFromTypeNode(query);
  const listed = checker.isTupleType(type) ? checker.getTypeArguments(type as ts.TypeReference) : [];
  const members = ts.isTypeOperatorNode(node)
    ? type.getProperties().map(({ name }) => JSON.stringify(name))
    : listed.map((each) => typeText(each, checker));
  const union = checker.getTypeFromTypeNode(node);
  return union.isUnion() && union.types.length === members.length ? members : [];
}

function queryIn(node: ts.Node): ts.TypeQueryNode | undefined {
  return ts.isTypeQueryNode(node) ? node : ts.forEachChild(node, queryIn);
}

function typeText(type: ts.Type, checker: ts.TypeChecker): string {
  return checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
}

function callOf(node: ts.SignatureDeclaration, checker: ts.TypeChecker): string {
  const generics = node.typeParameters === undefined ? "" : `<${node.typeParameters.map(text).join(", ")}>`;
  const parameters = node.parameters.map(parameterOf).join(", ");
  return `${generics}(${parameters})${ts.isConstructorDeclaration(node) ? "" : `: ${returnOf(node, checker)}`}`;
}

function parameterOf(parameter: ts.ParameterDeclaration): string {
  const name = ts.isIdentifier(parameter.name) ? parameter.name.text : "options";
  const isOptional = parameter.questionToken !== undefined || parameter.initializer !== undefined;
  const type = parameter.type?.getText() ?? parameter.initializer?.getText() ?? "unknown";
  return `${parameter.dotDotDotToken ? "..." : ""}${name}${isOptional ? "?" : ""}: ${type}`;
}

function returnOf(node: ts.SignatureDeclaration, checker: ts.TypeChecker): string {
  if (node.type !== undefined) return node.type.getText();
  const signature = checker.getSignatureFromDeclaration(node);
  return signature === undefined ? "unknown" : typeText(checker.getReturnTypeOfSignature(signature), checker);
}

function classOf(name: string, node: ts.ClassDeclaration, checker: ts.TypeChecker): string {
  const generics = node.typeParameters === undefined ? "" : `<${node.typeParameters.map(text).join(", ")}>`;
  const heritage = (node.heritageClauses ?? []).map((clause) => ` ${clause.getText()}`).join("");
  const members = node.members.filter((member) => !isHidden(member)).map((member) => memberOf(member, checker));
  return [`class ${name}${generics}${heritage} {`, ...members.map((member) => `  ${member}`), "}"].join("\n");
}

function isHidden(member: ts.ClassElement): boolean {
  if (ts.isClassStaticBlockDeclaration(member)) return true;
  if (member.name !== undefined && ts.isPrivateIdentifier(member.name)) return true;
  return (ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0;
}

function memberOf(member: ts.ClassElement, checker: ts.TypeChecker): string {
  const docs = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc);
  const doc = docs.map((each) => `${each.getText()}\n  `).join("");
  if (ts.isConstructorDeclaration(member)) return `${doc}constructor${callOf(member, checker)};`;
  const name = `${modifiersOf(member)}${member.name?.getText() ?? ""}`;
  if (ts.isMethodDeclaration(member)) return `${doc}${name}${callOf(member, checker)};`;
  if (ts.isGetAccessorDeclaration(member)) return `${doc}get ${name}(): ${returnOf(member, checker)};`;
  const given = ts.isPropertyDeclaration(member) ? member.type?.getText() : undefined;
  return `${doc}${name}: ${given ?? typeText(checker.getTypeAtLocation(member), checker)};`;
}

function modifiersOf(member: ts.ClassElement): string {
  const shown: readonly ts.SyntaxKind[] = [ts.SyntaxKind.StaticKeyword, ts.SyntaxKind.ReadonlyKeyword];
  const modifiers = ts.canHaveModifiers(member) ? (ts.getModifiers(member) ?? []) : [];
  return modifiers
    .filter(({ kind }) => shown.includes(kind))
    .map((each) => `${each.getText()} `)
    .join("");
}

/**
 * Whether a member of an exported type has the tag `@internal`: it is for the packages of this repository, and not promised.
 * Callers may neither use it nor be asked for it.
 */
export function isInternalMember(node: ts.Node): boolean {
  return (ts.isTypeElement(node) || ts.isClassElement(node)) && hasInternalTag(node);
}

function hasInternalTag(node: ts.Node): boolean {
  return ts.getJSDocTags(node).some(({ tagName }) => tagName.text === "internal");
}

function outdent(lines: string, node: ts.Node): string {
  const { character } = node.getSourceFile().getLineAndCharacterOfPosition(node.getStart());
  return character === 0 ? lines : lines.replaceAll(`\n${" ".repeat(character)}`, "\n");
}

function text(node: ts.Node): string {
  return node.getText();
}
