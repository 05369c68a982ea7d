import { invalidRequest } from "../errors.ts";
import type { Matcher, SpendSteps } from "./patterns.ts";

/** The most characters of the globs with wildcards that are matched together: a name of 128 characters then takes about ten milliseconds. */
const mostCharacters = 10_000;

/** Refuses globs that take too long together. Those without wildcards do not count. @throws RegistryError `invalid_request` */
export function checkGlobs(globs: readonly string[]): void {
  const characters = globs.filter(hasWildcard).reduce((sum, glob) => sum + glob.length, 0);
  if (characters <= mostCharacters) return;
  throw invalidRequest(
    `The globs with wildcards have ${characters} characters together, more than ${mostCharacters}: use fewer or shorter ones`,
  );
}

function hasWildcard(glob: string): boolean {
  return /[*?[]/.test(glob);
}

/**
 * Compiles the globs of a mirror or a trigger. The result says whether one of them matches a text as a whole. A glob takes at most as many
 * steps as it has characters, for each character of the text; one without wildcards is looked up.
 *
 *     glob = { "*" | "?" | "[" [ "!" ] characters and ranges "]" | any other character }
 *
 * A bracket that is not closed matches itself, as in the shell.
 * @param spend counts the steps that were done; its error ends the matching
 * @throws RegistryError as {@link checkGlobs}
 * @see https://docs.python.org/3/library/fnmatch.html
 *
 * @example
 * compileGlobs(["1.*", "latest"])("1.27"); // true
 */
export function compileGlobs(globs: readonly string[], spend: SpendSteps = () => undefined): Matcher {
  checkGlobs(globs);
  const names = new Set(globs.filter((glob) => !hasWildcard(glob)));
  const parsed = globs.filter(hasWildcard).map(parseGlob);
  return (text) => {
    if (names.has(text)) return true;
    const characters = [...text];
    return parsed.some((parts) => matches(parts, characters, spend));
  };
}

type Part = "*" | ((character: string) => boolean);

/** After a mismatch, only the last star takes one character more: what an earlier star takes, the last one could take as well. */
function matches(parts: readonly Part[], characters: readonly string[], spend: SpendSteps): boolean {
  let [at, part] = [0, 0];
  let star: { readonly part: number; at: number } | undefined;
  let steps = 1;
  while (at < characters.length) {
    steps++;
    const wanted = parts[part];
    if (wanted === "*") star = { part: part++, at };
    else if (wanted?.(characters[at] ?? "") === true) [at, part] = [at + 1, part + 1];
    else if (star === undefined) break;
    else [at, part] = [++star.at, star.part + 1];
  }
  spend(steps);
  while (parts[part] === "*") part++;
  return at === characters.length && part === parts.length;
}

function parseGlob(glob: string): readonly Part[] {
  const characters = [...glob];
  const parts: Part[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? "";
    const end = character === "[" ? characters.indexOf("]", at + (characters[at + 1] === "!" ? 3 : 2)) : -1;
    if (character === "*") parts.push("*");
    else if (character === "?") parts.push(() => true);
    else if (end < 0) parts.push((found) => found === character);
    else {
      parts.push(parseSet(characters.slice(at + 1, end)));
      at = end;
    }
  }
  return parts;
}

type Range = readonly [first: string, last: string];

function parseSet(characters: readonly string[]): Part {
  const isNegated = characters[0] === "!";
  const ranges: Range[] = [];
  for (let at = isNegated ? 1 : 0; at < characters.length; at++) {
    const first = characters[at] ?? "";
    const isRange = characters[at + 1] === "-" && at + 2 < characters.length;
    ranges.push([first, (isRange ? characters[at + 2] : first) ?? first]);
    if (isRange) at += 2;
  }
  const sorted = merged(ranges);
  return (character) => has(sorted, character) !== isNegated;
}

/** The ranges in their order, without overlaps, so that a character is found in few comparisons. */
function merged(ranges: readonly Range[]): readonly Range[] {
  const result: Range[] = [];
  for (const [first, last] of ranges.filter(([from, to]) => from <= to).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const before = result.at(-1);
    if (before === undefined || before[1] < first) result.push([first, last]);
    else if (before[1] < last) result[result.length - 1] = [before[0], last];
  }
  return result;
}

function has(ranges: readonly Range[], character: string): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [first, last] = ranges[middle] ?? ["", ""];
    if (first <= character && character <= last) return true;
    if (character < first) high = middle;
    else low = middle + 1;
  }
  return false;
}
