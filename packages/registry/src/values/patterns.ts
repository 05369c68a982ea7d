import { RE2JS, RE2JSException } from "re2js";
import { invalidRequest, RegistryError } from "../errors.ts";
import { sizeOfPattern } from "./pattern-size.ts";

/** The most characters of an expression. */
const maxPatternLength = 256;

/**
 * The most instructions of an expression ({@link sizeOfPattern}). A text of 128 characters, the longest tag, then takes about a
 * millisecond. `^v[0-9]+$` has 9, a digest in hexadecimal digits has 71.
 */
export const maxPatternSize = 500;

/** The most instructions of all expressions that one owner has for one purpose, since all of them are matched with each text. */
export const maxPatternsSize = 1000;

/** Whether a text matches an expression. */
export type Matcher = (text: string) => boolean;

/**
 * Compiles a client's regular expression, which may be matched against many tags. The syntax is RE2, without look-around and
 * back-references, so that the time of a match is linear in the text, and in the size of the expression, which is bounded.
 * @param field the name of the field, for the message
 * @throws RegistryError `invalid_request`
 * @see https://github.com/google/re2/wiki/Syntax
 *
 * @example
 * compilePattern("tagPattern", "^v[0-9]+$")("v1"); // true
 */
export function compilePattern(field: string, pattern: string): Matcher {
  const expression = compile(field, pattern);
  return (text) => expression.matcher(text).find();
}

/**
 * As {@link compilePattern}, for expressions that must match the whole text.
 *
 * @example
 * compileWholePattern("tagPattern", "v[0-9]+")("dev1"); // false
 */
export function compileWholePattern(field: string, pattern: string): Matcher {
  const expression = compile(field, pattern);
  return (text) => expression.matcher(text).matches();
}

/**
 * As {@link compilePattern}, for expressions that must match the beginning of the text.
 *
 * @example
 * compilePatternOfStart("ref-regex", "refs/heads/")("refs/heads/main"); // true
 */
export function compilePatternOfStart(field: string, pattern: string): Matcher {
  const expression = compile(field, pattern);
  return (text) => expression.matcher(text).lookingAt();
}

/**
 * Refuses expressions that are too large together.
 * @param what the expressions in the message, such as `the immutability policies of a repository`
 * @throws RegistryError `invalid_request`
 */
export function checkPatternsSize(what: string, patterns: readonly string[], most = maxPatternsSize): void {
  const size = sizeOfPatterns(patterns);
  if (size <= most) return;
  throw invalidRequest(
    `The patterns of ${what} take ${size} steps together for each character of a name, more than ${most}: ` +
      "use fewer or shorter patterns, or smaller counts such as {1,3}",
  );
}

/** The sum of the sizes of expressions. */
export function sizeOfPatterns(patterns: readonly string[]): number {
  return patterns.reduce((sum, pattern) => sum + sizeOfPattern(pattern), 0);
}

/** A stored expression. One that is too large, since an older version stored it, is not used. */
export type StoredPattern =
  | { readonly kind: "used"; readonly matches: Matcher }
  | { readonly kind: "unused"; readonly problem: string };

/**
 * Compiles stored expressions that are matched together, in their order. What happens in place of one that is not used is the choice that
 * changes the least: an immutability policy protects all tags, a prune policy removes none, an exception is for no image.
 *
 * @example
 * usePatterns(["v[0-9]+"], { compile: compileWholePattern }); // [{ kind: "used", matches: … }]
 */
export function usePatterns(
  patterns: readonly string[],
  { compile, mostSteps = maxPatternsSize }: { readonly compile: typeof compilePattern; readonly mostSteps?: number },
): readonly StoredPattern[] {
  let used = 0;
  return patterns.map((pattern): StoredPattern => {
    try {
      const matches = compile("pattern", pattern);
      const size = sizeOfPattern(pattern);
      if (used + size > mostSteps) return { kind: "unused", problem: tooLargeTogether(used + size, mostSteps) };
      used += size;
      return { kind: "used", matches };
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error;
      return { kind: "unused", problem: error.message };
    }
  });
}

/** Why a stored expression is not used; undefined for one that is used. */
export function problemOf(pattern: StoredPattern | undefined): string | undefined {
  return pattern?.kind === "unused" ? pattern.problem : undefined;
}

function tooLargeTogether(size: number, most: number): string {
  return `pattern: takes ${size} steps for each character of a name, together with the patterns before it, more than ${most}`;
}

function compile(field: string, pattern: string): RE2JS {
  if (pattern.length > maxPatternLength) throw invalidRequest(`${field}: longer than ${maxPatternLength} characters`);
  const size = sizeOfPattern(pattern);
  if (size > maxPatternSize) throw tooLarge(field, size);
  try {
    return RE2JS.compile(pattern);
  } catch (cause) {
    if (!(cause instanceof RE2JSException)) throw cause;
    const reason = cause.message.replace(/^error parsing regexp: /, "");
    throw invalidRequest(`${field}: is not a regular expression in RE2 syntax: ${reason}`);
  }
}

function tooLarge(field: string, size: number): RegistryError {
  return invalidRequest(
    `${field}: takes ${size} steps for each character of a name, more than ${maxPatternSize}: ` +
      "use smaller counts such as {1,3}, or * and + in place of counts, and no counted groups within counted groups",
  );
}
