/**
 * Environment markers of Python's dependencies, as far as an image of Linux with CPython decides them:
 *
 * ```
 * marker  = and *( "or" and )           and = term *( "and" term )          term = "(" marker ")" | operand relation operand
 * operand = variable | "'" … "'" | "\"" … "\""       relation = "==" | "!=" | "in" | "not in" | "<" | …
 * ```
 * @see https://packaging.python.org/en/latest/specifications/dependency-specifiers/#environment-markers
 * @see https://packaging.python.org/en/latest/specifications/pylock-toml/#file-marker for `extras` and `dependency_groups`
 */

import { normalizePypiName } from "../../model/package-name.ts";
import { isOrdered } from "../../versions/define-order.ts";
import { compare as compareOrder, valid } from "../../versions/pep440/version.ts";

/** Undefined: it depends on what is not known, as the chosen extras. */
export type Truth = boolean | undefined;

/** Which groups of dependencies are installed. */
export type ChosenGroups = "all" | "none";

/**
 * Whether a marker holds. The version of Python and the processor are taken to be right. An empty marker holds, and
 * one that cannot be read.
 */
export function evaluateMarker(marker: string, { groups = "none", interpreter, extras }: MarkerOptions = {}): Truth {
  const tokens = tokensOf(marker);
  if (tokens === undefined) return true;
  const reading = { tokens, at: 0, groups, interpreter, extras };
  const truth = readOr(reading, 0);
  return reading.at === tokens.length ? truth : true;
}

/** By what a marker is judged. */
export interface MarkerOptions {
  /** Default: none. */
  readonly groups?: ChosenGroups;
  /** Values of variables about the interpreter. What is then not known is undefined. Default: its version and the processor are taken to be right. */
  readonly interpreter?: ReadonlyMap<string, string>;
  /** The extras that are chosen, by their normal names. Default: not known. */
  readonly extras?: ReadonlySet<string>;
}

/** A quoted text, or anything else as it stands. */
interface Token {
  readonly text: string;
  readonly isQuoted: boolean;
}

interface Reading {
  readonly tokens: readonly Token[];
  readonly groups: ChosenGroups;
  readonly interpreter?: ReadonlyMap<string, string>;
  readonly extras?: ReadonlySet<string>;
  at: number;
}

/** Longer markers and deeper ones are not written by tools. */
const [maxLength, maxDepth] = [10_000, 50];

const token = /\s*(?:'([^']*)'|"([^"]*)"|([A-Za-z_][\w.]*|[()]|[=!~<>]+))/y;

/** Undefined for a text that is no marker. */
function tokensOf(marker: string): readonly Token[] | undefined {
  const text = marker.trim();
  if (text.length > maxLength) return undefined;
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; at = token.lastIndex) {
    token.lastIndex = at;
    const [, single, double, plain] = token.exec(text) ?? [];
    const quoted = single ?? double;
    if (quoted === undefined && plain === undefined) return undefined;
    tokens.push({ text: quoted ?? plain ?? "", isQuoted: quoted !== undefined });
  }
  return tokens;
}

function readOr(reading: Reading, depth: number): Truth {
  let truth = readAnd(reading, depth);
  while (takes(reading, "or")) {
    const other = readAnd(reading, depth);
    truth = truth === true || other === true ? true : truth === undefined ? undefined : other;
  }
  return truth;
}

function readAnd(reading: Reading, depth: number): Truth {
  let truth = readTerm(reading, depth);
  while (takes(reading, "and")) {
    const other = readTerm(reading, depth);
    truth = truth === false || other === false ? false : truth === undefined ? undefined : other;
  }
  return truth;
}

function readTerm(reading: Reading, depth: number): Truth {
  if (depth < maxDepth && takes(reading, "(")) {
    const truth = readOr(reading, depth + 1);
    takes(reading, ")");
    return truth;
  }
  const [left, relation, second] = [next(reading), next(reading), next(reading)];
  const isNotIn = relation?.text === "not" && second?.text === "in";
  const right = isNotIn ? next(reading) : second;
  if (left === undefined || relation === undefined || right === undefined) return true;
  return compare({ left, right, relation: isNotIn ? "not in" : relation.text }, reading);
}

function takes(reading: Reading, text: string): boolean {
  const { isQuoted = true, text: found } = reading.tokens[reading.at] ?? {};
  if (isQuoted || found !== text) return false;
  reading.at++;
  return true;
}

function next(reading: Reading): Token | undefined {
  return reading.tokens[reading.at++];
}

interface Comparison {
  readonly left: Token;
  readonly right: Token;
  readonly relation: string;
}

/** The values of variables on Linux with CPython. */
const values: ReadonlyMap<string, string> = new Map([
  ["implementation_name", "cpython"],
  ["os.name", "posix"],
  ["os_name", "posix"],
  ["platform_python_implementation", "CPython"],
  ["platform_system", "Linux"],
  ["sys.platform", "linux"],
  ["sys_platform", "linux"],
]);
/** What is taken to be right: most packages have markers that exclude old versions, and those that name a processor are for the usual ones. */
const takenAsRight =
  /^(?:implementation_version|platform_machine|platform\.machine|python_full_version|python_version)$/;

function compare({ left, right, relation }: Comparison, { groups, interpreter, extras }: Reading): Truth {
  const variable = left.isQuoted ? right.text : left.text;
  if (variable === "extra" && extras !== undefined) {
    const name = normalizePypiName(left.isQuoted ? left.text : right.text);
    const isChosen = name === "" ? extras.size === 0 : extras.has(name);
    return relation.startsWith("==") ? isChosen : relation === "!=" ? !isChosen : undefined;
  }
  const known = interpreter?.get(variable);
  const versions = relation.endsWith("in") ? [] : versionsOf(variable, interpreter);
  if (versions.length > 0) {
    const truths = versions.map((version) =>
      compareVersions(left.isQuoted ? [left.text, version] : [version, right.text], relation),
    );
    return truths.every((truth) => truth === truths[0]) ? truths[0] : undefined;
  }
  if (known === undefined && takenAsRight.test(variable)) return interpreter === undefined ? true : undefined;
  if (variable === "dependency_groups") return (groups === "all") === (relation === "in");
  const value = known ?? values.get(variable);
  if (value === undefined) return undefined;
  const [one, other] = left.isQuoted ? [left.text, value] : [value, right.text];
  switch (relation) {
    case "==":
    case "===":
      return one === other;
    case "!=":
      return one !== other;
    case "in":
      return other.includes(one);
    case "not in":
      return !other.includes(one);
    default:
      return undefined;
  }
}

/** What a variable may be: the one version that is known, or the first and the last one of a release of which no more is known. */
function versionsOf(variable: string, interpreter: Reading["interpreter"]): readonly string[] {
  if (variable !== "python_version" && variable !== "python_full_version") return [];
  const [known, release] = [interpreter?.get(variable), interpreter?.get("python_version")];
  if (known !== undefined) return [known];
  return release === undefined ? [] : [`${release}.0`, `${release}.999`];
}

/** The versions that `~=` and a star compare have only as many numbers as they state. */
function compareVersions([one, other]: readonly [string, string], relation: string): Truth {
  const hasStar = other.endsWith(".*");
  const stated = hasStar ? other.slice(0, -2) : other;
  const isPrefix = `${one}.`.startsWith(`${stated}.`);
  if (!valid(one) || !valid(stated)) return undefined;
  const order = compareOrder(one, stated);
  switch (relation) {
    case "==":
    case "===":
      return hasStar ? isPrefix : order === 0;
    case "!=":
      return hasStar ? !isPrefix : order !== 0;
    case "<":
    case "<=":
    case ">":
    case ">=":
      return isOrdered(order, relation);
    case "~=":
      return order >= 0 && `${one}.`.startsWith(`${stated.slice(0, Math.max(0, stated.lastIndexOf(".")))}.`);
    default:
      return undefined;
  }
}
