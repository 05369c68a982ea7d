/**
 * Whether a pattern of a mirror matches a tag as a whole. Linear in the pattern times the tag, whatever the pattern is.
 *
 *     pattern = { "*" | "?" | "[" [ "!" ] characters and ranges "]" | any other character }
 *
 * A bracket that is not closed matches itself, as in the shell.
 * @see https://docs.python.org/3/library/fnmatch.html
 */
export function matchesTag(pattern: string, tag: string): boolean {
  const parts = parsePattern(pattern);
  let reached = new Set([0]); // positions in the pattern up to which the characters so far match
  for (const character of tag) {
    const next = new Set<number>();
    for (const at of withStars(parts, reached)) {
      const part = parts[at];
      if (part === "*") next.add(at);
      else if (part?.(character) === true) next.add(at + 1);
    }
    reached = next;
  }
  return withStars(parts, reached).has(parts.length);
}

type Part = "*" | ((character: string) => boolean);

/** Adds the positions after stars, since a star may match nothing. */
function withStars(parts: readonly Part[], reached: ReadonlySet<number>): ReadonlySet<number> {
  const all = new Set(reached);
  for (const at of all) if (parts[at] === "*") all.add(at + 1);
  return all;
}

function parsePattern(pattern: string): readonly Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at);
    if (character === "*") {
      parts.push("*");
      continue;
    }
    const end = character === "[" ? pattern.indexOf("]", pattern.charAt(at + 1) === "!" ? at + 3 : at + 2) : -1;
    if (character === "?") parts.push(() => true);
    else if (end < 0) parts.push((found) => found === character);
    else {
      parts.push(parseSet(pattern.slice(at + 1, end)));
      at = end;
    }
  }
  return parts;
}

function parseSet(text: string): Part {
  const isNegated = text.startsWith("!");
  const ranges: (readonly [first: string, last: string])[] = [];
  for (let at = isNegated ? 1 : 0; at < text.length; at++) {
    const first = text.charAt(at);
    const isRange = text.charAt(at + 1) === "-" && at + 2 < text.length;
    ranges.push([first, isRange ? text.charAt(at + 2) : first]);
    if (isRange) at += 2;
  }
  return (character) => ranges.some(([first, last]) => first <= character && character <= last) !== isNegated;
}
