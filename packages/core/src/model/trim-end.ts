/**
 * A text without the given characters at its end. Takes linear time on every input, which `/x+$/` does not: the
 * expression is tried again at each `x` of the text.
 * @example trimEnd("https://example.com//", "/") // "https://example.com"
 */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
