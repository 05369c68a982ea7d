/**
 * Checks that every regular expression of the published code takes linear time. Prints each that may not, with a text that shows it.
 * Expressions that are built at run time must be in `exceptions`, with the reason why they are safe.
 */
import { globSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { availableParallelism } from "node:os";
import { type AnyNode, type CallExpression, type Expression, type NewExpression, type Program, parse } from "acorn";
import { simple } from "acorn-walk";
import { check } from "recheck";

interface Place extends FoundExpression {
  readonly path: string;
}

/**
 * Each phase of the checker is limited by steps, not by time, so that its result is the same on a busy machine. The whole check of an
 * expression ends after minutes without a result.
 */
const limits = {
  randomSeed: 1,
  seedingTimeout: null,
  incubationTimeout: null,
  attackTimeout: null,
  timeout: 300_000,
} as const;

/** The reasons, by path and code. */
const exceptions: ReadonlyMap<string, string> = new Map([
  [
    'packages/http/src/register.ts new RegExp(`^${path.replaceAll(/\\{\\w+\\}/g, "[^/]+")}$`)',
    "is made of the paths of our own operations",
  ],
]);

/** The exceptions that no expression has needed so far. */
const unused = new Set(exceptions.keys());

/** The places of all expressions of the published code. */
function allPlaces(): readonly Place[] {
  return globSync("packages/*/src/**/*.ts", {
    exclude: ["**/*.test.ts", "**/*.d.ts", "**/fixtures/**", "packages/testing/**"],
  })
    .map((path) => path.replaceAll("\\", "/"))
    .sort()
    .flatMap((path) => findRegularExpressions(readFileSync(path, "utf8")).map((found): Place => ({ path, ...found })));
}

/** The problems of the expressions that this worker takes from the waiting ones. */
async function complaintsOf(waiting: Iterable<Place>): Promise<readonly string[]> {
  const complaints: string[] = [];
  for (const place of waiting) {
    const text = await complaintOf(place);
    if (text !== undefined) complaints.push(text);
  }
  return complaints;
}

async function complaintOf({ path, line, source, flags, code }: Place): Promise<string | undefined> {
  if (unused.delete(`${path} ${code}`) || exceptions.has(`${path} ${code}`)) return undefined;
  if (source === undefined) return `${path}:${line}: ${code}: is only known when the program runs`;
  // A sticky expression is tried at one position only; the checker knows this only of anchored expressions.
  const [pattern, others] = flags.includes("y") ? [`^(?:${source})`, flags.replace("y", "")] : [source, flags];
  const result = await check(pattern, others, limits);
  if (result.status === "safe") return undefined;
  if (result.status === "unknown") return `${path}:${line}: ${code}: cannot be judged (${result.error.kind})`;
  return `${path}:${line}: ${code}: ${result.complexity.summary}, for example ${result.attack.pattern.slice(0, 200)}`;
}

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

if (import.meta.main) {
  const places = allPlaces();
  const waiting = places.values();
  const checkers = Array.from({ length: availableParallelism() }, () => complaintsOf(waiting));
  const broken = (await Promise.all(checkers)).flat();
  for (const name of unused) broken.push(`scripts/check-regular-expressions.ts: no longer needed: ${name}`);
  for (const line of broken) console.log(line);
  console.log(`${places.length} regular expressions, ${broken.length} that may take more than linear time`);
  process.exit(broken.length > 0 ? 1 : 0); // the checker keeps its own process open
}
