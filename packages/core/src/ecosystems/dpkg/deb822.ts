/**
 * The paragraphs of a deb822 text, called stanzas: dpkg's and opkg's `status`, control files.
 *
 * ```
 * text         = {blank line} {stanza blank line {blank line}}
 * stanza       = field {field}
 * field        = name ":" value line-end {continuation}
 * name         = printable ASCII without blank and ":", not beginning with "#" or "-"
 * continuation = (blank | tab) text line-end
 * blank line   = {blank | tab} line-end
 * ```
 * A line that is neither field nor continuation, or a name that occurs twice, makes the stanza malformed. Reading continues
 * after the next blank line. The text is read in one pass.
 *
 * @see https://manpages.debian.org/bookworm/dpkg-dev/deb822.5.en.html
 */
import { isBlank, isBlankLine, type LineCursor, lineText, nextLine, openPieces } from "../linux/lines.ts";
import { decodeParagraphs, quoted } from "../linux/text.ts";

/** The fields of a stanza by lower-case name. Values are trimmed; continuation lines are kept as they are. */
export type Fields = ReadonlyMap<string, string>;

/** A stanza, or the malformed one. Lines are numbered from 1. */
export type Stanza =
  | { readonly kind: "stanza"; readonly line: number; readonly fields: Fields }
  /** `line` is the malformed line, `fields` are the fields before it. */
  | { readonly kind: "malformed"; readonly line: number; readonly fields: Fields; readonly message: string };

/**
 * Reads the stanzas in file order; {@link Stanza} says which are malformed. Only a part of the text is in memory at a time: a caller
 * that keeps a value must copy it.
 * @throws ScanError `malformed_package_db` if the text is too large
 * @example
 * const text = new TextEncoder().encode("Package: zlib1g\nVersion: 1:1.2.13.dfsg-1\n");
 * for (const stanza of parseDeb822(text)) console.log(stanza);
 */
export function* parseDeb822(bytes: Uint8Array): Generator<Stanza> {
  for (const cursor of openPieces(decodeParagraphs(bytes))) {
    while (nextLine(cursor)) {
      if (!isBlankLine(cursor)) yield readStanza(cursor);
    }
  }
}

/** Reads from the stanza's first line to the blank line after it. */
function readStanza(cursor: LineCursor): Stanza {
  const line = cursor.line;
  const fields = new Map<string, string>();
  let more = true;
  while (more && !isBlankLine(cursor)) {
    const { text, start } = cursor;
    const colon = findNameEnd(cursor);
    if (colon < 0) return skipStanza(cursor, fields, 'expected "Name: value", found');
    const name = text.slice(start, colon).toLowerCase();
    if (fields.has(name)) return skipStanza(cursor, fields, "expected each field once, found another");
    more = skipContinuation(cursor);
    fields.set(name, trimmedSlice(text, colon + 1, more ? cursor.start : text.length));
  }
  return { kind: "stanza", line, fields };
}

/** The end of the field name in the current line; -1 if the line does not begin with a field name. */
function findNameEnd({ text, start, end }: LineCursor): number {
  const first = text.charCodeAt(start);
  if (first === 0x23 /* # */ || first === 0x2d /* - */) return -1;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x3a /* : */) return at > start ? at : -1;
    if (code <= 0x20 || code >= 0x7f) return -1;
  }
  return -1;
}

/** Moves to the first line after the field's continuation lines; false at the end of the text. */
function skipContinuation(cursor: LineCursor): boolean {
  while (nextLine(cursor)) {
    if (!isBlank(cursor.text.charCodeAt(cursor.start)) || isBlankLine(cursor)) return true;
  }
  return false;
}

/** The slice without blanks and line ends around it. Cheaper than `slice` and `trim`. */
function trimmedSlice(text: string, start: number, end: number): string {
  let from = start;
  let to = end;
  while (from < to && isSpace(text.charCodeAt(from))) from++;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
  return text.slice(from, to);
}

function isSpace(code: number): boolean {
  return isBlank(code) || code === 0x0a;
}

/** Moves to the blank line after the stanza. The current line is appended to `fault`. */
function skipStanza(cursor: LineCursor, fields: Fields, fault: string): Stanza {
  const { line } = cursor;
  const message = `${fault} ${quoted(lineText(cursor))}`;
  while (!isBlankLine(cursor) && nextLine(cursor)) {}
  return { kind: "malformed", line, fields, message };
}
