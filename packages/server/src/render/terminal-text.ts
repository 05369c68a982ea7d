import stringWidth from "string-width";

/** The characters of a text as a reader sees them. A segmenter takes 15 ms to make, and most texts need none. */
function charactersOf(text: string): Iterable<{ readonly segment: string }> {
  return new Intl.Segmenter().segment(text);
}

/** How many columns a text takes: wide East Asian characters and emoji take two, styles none. */
export function columnsOf(text: string): number {
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text);
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
