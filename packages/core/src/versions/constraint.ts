import type { VersionScheme } from "../plugins.ts";
import { malformedVersion } from "./malformed.ts";

/** Says whether a version is on the wanted side of a bound. */
export type Comparator<V> = (version: V, bound: V) => boolean;

/** Comparators by the way they are written. */
export type Operators<V> = ReadonlyMap<string, Comparator<V>>;

/**
 * Whether a version fulfils a constraint. A constraint is a list of comparators; a bound without an operator means `=`.
 *
 * ```
 * constraint  = alternative {"||" alternative}
 * alternative = comparator {"," comparator}
 * comparator  = ["=" | "==" | "!=" | "<" | "<=" | ">" | ">="] version
 * ```
 * @throws ScanError `malformed_version` for a malformed version, bound or operator
 */
export function satisfies<V>(scheme: VersionScheme<V>, version: string, constraint: string): boolean {
  return parseConstraint(scheme, operatorsOf(scheme), constraint)(scheme.parse(version));
}

/**
 * What a constraint demands, in a language with other operators than those of {@link satisfies}.
 * @throws ScanError `malformed_version`
 */
export function parseConstraint<V>(
  scheme: VersionScheme<V>,
  operators: Operators<V>,
  constraint: string,
): (version: V) => boolean {
  const parse = (text: string) => parseComparator(scheme, operators, text);
  const alternatives = constraint.split("||").map((alternative) => alternative.split(",").map(parse));
  return (version) => alternatives.some((comparators) => comparators.every((allows) => allows(version)));
}

function parseComparator<V>(scheme: VersionScheme<V>, operators: Operators<V>, text: string): (version: V) => boolean {
  const [, operator = "", bound = ""] = /^(~>|[<>=!]=?)?\s*(.*)$/s.exec(text.trim()) ?? [];
  const compare = operators.get(operator || "=");
  if (compare === undefined || bound === "") throw malformedVersion("an operator and a version", text);
  const parsed = scheme.parse(bound);
  return (version) => compare(version, parsed);
}

/** The operators of every scheme. */
export function operatorsOf<V>(scheme: VersionScheme<V>): Operators<V> {
  return new Map<string, Comparator<V>>([
    ["=", (version, bound) => scheme.compare(version, bound) === 0],
    ["==", (version, bound) => scheme.compare(version, bound) === 0],
    ["!=", (version, bound) => scheme.compare(version, bound) !== 0],
    ["<", (version, bound) => scheme.compare(version, bound) < 0],
    ["<=", (version, bound) => scheme.compare(version, bound) <= 0],
    [">", (version, bound) => scheme.compare(version, bound) > 0],
    [">=", (version, bound) => scheme.compare(version, bound) >= 0],
  ]);
}
