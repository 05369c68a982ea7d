import { stripTypeScriptTypes } from "node:module";
import { type AnyNode, type CallExpression, type Expression, type NewExpression, type Program, parse } from "acorn";
import { simple } from "acorn-walk";

/** A regular expression of a source file; `source` is absent where it is only known at run time. */
export interface FoundExpression {
  readonly line: number;
  readonly source?: string;
  readonly flags: string;
  readonly code: string;
}

/** The initializers of a module's constants, by name. */
type Constants = ReadonlyMap<string, Expression>;

/** The regular expressions of a TypeScript file: literals, and `new RegExp` of constants. */
export function findRegularExpressions(text: string): readonly FoundExpression[] {
  const code = stripTypeScriptTypes(text);
  const program = parse(code, { ecmaVersion: "latest", sourceType: "module", locations: true });
  const constants = constantsOf(program);
  const found: FoundExpression[] = [];
  const add = (node: AnyNode, parts: { readonly source?: string | undefined; readonly flags?: string | undefined }) => {
    const { source, flags = "" } = parts;
    const line = node.loc?.start.line ?? 0;
    found.push({ line, flags, code: code.slice(node.start, node.end), source });
  };
  const addCall = (node: NewExpression | CallExpression) => {
    if (node.callee.type !== "Identifier" || node.callee.name !== "RegExp") return;
    const [source, flags] = node.arguments.map((argument) => textOf(argument, constants));
    add(node, { source, flags });
  };
  simple(program, {
    Literal: (node) => {
      if (node.regex) add(node, { source: node.regex.pattern, flags: node.regex.flags });
    },
    NewExpression: addCall,
    CallExpression: addCall,
  });
  return found;
}

function constantsOf(program: Program): Constants {
  const constants = new Map<string, Expression>();
  simple(program, {
    VariableDeclaration: ({ kind, declarations }) => {
      if (kind !== "const") return;
      for (const { id, init } of declarations) if (id.type === "Identifier" && init) constants.set(id.name, init);
    },
  });
  return constants;
}

/** The text that an expression evaluates to, where it depends on constants only. */
function textOf(node: AnyNode, constants: Constants): string | undefined {
  if (node.type === "Literal") return node.regex?.pattern ?? (typeof node.value === "string" ? node.value : undefined);
  if (node.type === "Identifier") return textOfConstant(constants.get(node.name), constants);
  if (node.type === "TemplateLiteral") {
    const holes = node.expressions.map((hole) => textOf(hole, constants));
    return joined(node.quasis.flatMap(({ value }, index) => [value.cooked ?? "", ...holes.slice(index, index + 1)]));
  }
  if (node.type === "MemberExpression")
    return isNamed(node.property, "source") ? textOf(node.object, constants) : undefined;
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return undefined;
  const { property, object } = node.callee;
  if (!isNamed(property, "join") || object.type !== "ArrayExpression") return undefined;
  return joined(object.elements.map((element) => (element === null ? undefined : textOf(element, constants))));
}

function textOfConstant(init: Expression | undefined, constants: Constants): string | undefined {
  return init === undefined ? undefined : textOf(init, constants);
}

function joined(parts: readonly (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : parts.join("");
}

function isNamed(node: AnyNode, name: string): boolean {
  return node.type === "Identifier" && node.name === name;
}
