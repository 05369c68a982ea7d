/** A position in a text that is read line by line: `[start, end)` is the current line without its line end. */
export interface LineCursor {
  readonly text: string;
  start: number;
  end: number;
  /** Numbered from 1; 0 before the first line. */
  line: number;
}

/** A cursor before the first line. */
export function openLines(text: string): LineCursor {
  return { text, start: 0, end: -1, line: 0 };
}

/** Cursors over the pieces of a text, in order. Each must be read to its end. Lines are numbered over all pieces. */
export function* openPieces(pieces: Iterable<string>): Generator<LineCursor> {
  let line = 0;
  for (const text of pieces) {
    const cursor = { ...openLines(text), line };
    yield cursor;
    line = cursor.line;
  }
}

/** Moves to the next line; false at the end of the text. A final line end does not begin another line. */
export function nextLine(cursor: LineCursor): boolean {
  const start = cursor.end + 1;
  if (start >= cursor.text.length) return false;
  const lineEnd = cursor.text.indexOf("\n", start);
  cursor.start = start;
  cursor.end = lineEnd < 0 ? cursor.text.length : lineEnd;
  cursor.line++;
  return true;
}

/** The current line. */
export function lineText(cursor: LineCursor): string {
  return cursor.text.slice(cursor.start, cursor.end);
}

/** Whether the current line has only blanks and tabs. */
export function isBlankLine({ text, start, end }: LineCursor): boolean {
  for (let at = start; at < end; at++) if (!isBlank(text.charCodeAt(at))) return false;
  return true;
}

/** Whether a character code is a blank or a tab. */
export function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
