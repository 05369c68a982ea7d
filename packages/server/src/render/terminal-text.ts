import { stripVTControlCharacters } from "node:util";
import { eastAsianWidth } from "get-east-asian-width";

/** The width of a text in columns: wide East Asian characters and emoji take two, styles none. */
export function columnsOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of charactersOf(stripVTControlCharacters(text))) columns += columnsOfCharacter(segment);
  return columns;
}

/** The graphemes of a text. Creating a segmenter takes 15 ms, and most texts need none, so callers check for ASCII first. */
function charactersOf(text: string): Iterable<{ readonly segment: string }> {
  return new Intl.Segmenter().segment(text);
}

/** Emoji are recognized by their parts, because loading Unicode's list of emoji sequences takes 20 ms at each start. */
function columnsOfCharacter(character: string): number {
  if (/^[\p{Default_Ignorable_Code_Point}\p{Control}\p{Mark}\p{Surrogate}]+$/u.test(character)) return 0;
  if (character.includes("\u{FE0E}")) return 1; // the text form of an emoji
  const isEmoji = /^\p{Emoji_Presentation}|\u{FE0F}/u.test(character);
  return isEmoji ? 2 : eastAsianWidth(character.codePointAt(0) ?? 0);
}

/** Shortens a text to a width in columns; a shortened text ends with `…`. */
export function cutTo(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let kept = "";
  for (const { segment } of charactersOf(text)) {
    if (columnsOf(kept + segment) > columns - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Pads a text with blanks to a width in columns. */
export function padTo(text: string, columns: number): string {
  return text + " ".repeat(Math.max(0, columns - columnsOf(text)));
}

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** A duration in words, in its largest whole unit: `3 days`, `1 hour`, `less than a minute`. */
export function ageInWords(durationMs: number): string {
  for (const [name, unitMs] of units) {
    const count = Math.floor(durationMs / unitMs);
    if (count > 0) return `${count} ${name}${count === 1 ? "" : "s"}`;
  }
  return "less than a minute";
}

/** A number with its noun: `1 finding`, `2 findings`. Pass an irregular plural as `several`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}
