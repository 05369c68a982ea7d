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
