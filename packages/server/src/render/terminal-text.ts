import { stripVTControlCharacters } from "node:util";

/** The characters of a text as a reader sees them. A segmenter takes 15 ms to make, and most texts need none. */
function charactersOf(text: string): Iterable<{ readonly segment: string }> {
  return new Intl.Segmenter().segment(text);
}

/** How many columns a text takes: wide East Asian characters take two, styles none. */
export function columnsOf(text: string): number {
  const plain = stripVTControlCharacters(text);
  if (/^[\x20-\x7e]*$/.test(plain)) return plain.length;
  let columns = 0;
  for (const { segment } of charactersOf(plain)) columns += isWide(segment.codePointAt(0) ?? 0) ? 2 : 1;
  return columns;
}

/** Cuts a text to so many columns, the last of them `…` where something is missing. */
export function cutTo(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let kept = "";
  for (const { segment } of charactersOf(text)) {
    if (columnsOf(kept + segment) > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Fills a text with blanks up to so many columns. */
export function padTo(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

/** @see https://www.unicode.org/reports/tr11/ (wide and full-width blocks) */
function isWide(code: number): boolean {
  return (
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0xffe0 && code <= 0xffe6) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd)
  );
}
