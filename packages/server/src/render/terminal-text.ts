import { stripVTControlCharacters } from "node:util";
import { eastAsianWidth } from "get-east-asian-width";

/** The characters of a text as a reader sees them. A segmenter takes 15 ms to make, and most texts need none. */
function charactersOf(text: string): Iterable<{ readonly segment: string }> {
  return new Intl.Segmenter().segment(text);
}

/** How many columns a text takes: wide East Asian characters and emoji take two, styles none. */
export function columnsOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of charactersOf(stripVTControlCharacters(text))) columns += columnsOfCharacter(segment);
  return columns;
}

/** A list of all sequences that are emoji, as Unicode has it, would take 20 ms at each start: what makes one is told by its parts. */
function columnsOfCharacter(character: string): number {
  if (/^[\p{Default_Ignorable_Code_Point}\p{Control}\p{Mark}\p{Surrogate}]+$/u.test(character)) return 0;
  if (character.includes("\u{FE0E}")) return 1; // an emoji as text
  const isEmoji = /^\p{Emoji_Presentation}|\u{FE0F}/u.test(character);
  return isEmoji ? 2 : eastAsianWidth(character.codePointAt(0) ?? 0);
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
