/**
 * Removes the given characters from the end of a text. Takes linear time on every input, unlike `/x+$/`, which a regular
 * expression engine tries again at each `x`.
 * @example trimEnd("https://example.com//", "/") // "https://example.com"
 */
export function trimEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
