import { RE2JS, RE2JSException } from "re2js";
import { invalidRequest, RegistryError } from "../errors.ts";

/** The most characters of an expression. */
const maxPatternLength = 256;

/**
 * The most instructions of an expression ({@link sizeOfPattern}). A text of 128 characters, the longest tag, then takes about a
 * millisecond. `^v[0-9]+$` has 9, a digest in hexadecimal digits has 71.
 */
const maxPatternSize = 500;

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

/**
 * Tokens of the syntax of RE2 that matter for the size of a program. What is not listed is one character. A class ends at its first `]`, so
 * that `[[:alpha:]]` has one character too many, but no token is left out.
 */
const tokens =
  /(?<end>\))|(?<flags>\(\?[\w-]*\))|(?<begin>\((?:\?(?:P?<\w+>|[\w-]*:))?)|(?<branch>\|)|(?<count>\{(?<least>\d+)(?<more>,(?<most>\d*))?\})|(?<sign>[*+?])|(?<atom>\\[pPx]\{[^{}]*\}|\\.|\[\^?\]?(?:[^\]\\]|\\.)*\]|.)/gsy;

/** The size of the sequence that is being read, without that of its last element, to which a repetition applies. */
interface Sequence {
  before: number;
  last: number;
}

/** Instructions that each program has, whatever the pattern is: that of a failure, that of a match, and that of an empty branch. */
const ofEachProgram = 3;

/** The instructions that begin and end a group, and that of an empty branch. */
const ofGroup = 3;

/** What a character beyond ASCII counts where case is ignored: a range up to it is compiled character by character. */
const foldedCharacter = 100;

/**
 * How many instructions the program of a regular expression has at most, with its counted repetitions expanded. Reads the pattern once and
 * compiles nothing, since compiling a large program takes time as well. A text is matched in so many steps for each of its characters.
 * @see https://github.com/google/re2/blob/main/simplify.cc
 *
 * @example
 * sizeOfPattern("v[0-9]+"); // 7
 * sizeOfPattern("(a{0,30}){0,30}"); // 1985
 */
export function sizeOfPattern(pattern: string): number {
  const unquoted = pattern.replaceAll(/\\Q((?:[^\\]|\\(?!E))*)(?:\\E)?|\\./gs, (all, quoted: string | undefined) =>
    quoted === undefined ? all : "x".repeat(quoted.length),
  );
  const outer: Sequence[] = [];
  let current: Sequence = { before: 0, last: 0 };
  for (const { groups = {} } of unquoted.matchAll(tokens)) {
    if (groups.begin !== undefined) {
      outer.push(current);
      current = { before: 0, last: 0 };
    } else if (groups.end !== undefined) {
      current = closed(outer.pop(), current);
    } else if (groups.branch !== undefined) {
      current = { before: sumOf(current) + 2, last: 0 };
    } else if (groups.sign !== undefined) {
      current.last += 2;
    } else if (groups.count !== undefined) {
      current.last = repeated(current.last, groups);
    } else if (groups.atom !== undefined) {
      current = { before: sumOf(current), last: 1 };
    }
  }
  const unclosed = outer.reduce((sum, each) => sum + sumOf(each), 0);
  return ofEachProgram + sumOf(current) + unclosed + foldedCharacter * countFolded(pattern);
}

function sumOf({ before, last }: Sequence): number {
  return before + last;
}

function closed(outer: Sequence | undefined, inner: Sequence): Sequence {
  const last = sumOf(inner) + ofGroup;
  return outer === undefined ? { before: last, last: 0 } : { before: sumOf(outer), last };
}

/** The size of a repeated element: each copy that may be absent has an instruction of its own, and so has a copy without an end. */
function repeated(size: number, { least, more, most }: Readonly<Record<string, string | undefined>>): number {
  const copies = Math.max(1, Number(most === undefined || most === "" ? least : most));
  return more === undefined ? copies * size : copies * (size + 1) + 2;
}

function countFolded(pattern: string): number {
  if (!/\(\?[\w-]*i/.test(pattern)) return 0;
  return pattern.match(/[^\0-\x7f]|\\x\{/gu)?.length ?? 0;
}

/** Takes steps of matching from a budget. @throws RegistryError `invalid_request` when there are no more */
export type SpendSteps = (steps: number) => void;

/**
 * The most steps of matching in one job, for one repository. A step is one instruction of an expression for one character of a name; ten
 * to twenty nanoseconds. Twenty policies of 30 instructions and 100,000 tags of 12 characters take about 800 million at most.
 */
export const stepsOfJob = 1_000_000_000;

/**
 * The most steps of matching in one request, or in one transaction, which others wait for: about 40 milliseconds. Twenty policies of 30
 * instructions and 100 tags of 12 characters take 780,000 at most.
 */
export const stepsAtOnce = 2_000_000;

/**
 * Bounds the work of matching. It counts steps and no time, so that it ends at the same place on each machine.
 * @param most how many steps there are
 * @param what what is matched with what, for the message, such as `the tags of a/b with its prune policies`
 *
 * @example
 * const spend = stepBudget(1000, "the tags with the policies");
 * spend(1001); // throws
 */
export function stepBudget(most: number, what: string): SpendSteps {
  let left = most;
  return (steps) => {
    left -= steps;
    if (left >= 0) return;
    throw invalidRequest(
      `Matching ${what} takes more than ${most} steps: use fewer patterns, shorter ones, or smaller counts such as {1,3}`,
    );
  };
}
