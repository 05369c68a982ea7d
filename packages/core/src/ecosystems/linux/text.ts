import { ScanError } from "../../errors.ts";

/** The largest text file that is read as a package database, in bytes: the limit that a layer has for one file. */
export const maxDatabaseBytes = 256 * 1024 ** 2;

/** The largest length of a name, version or similar word, in characters. */
export const maxWordLength = 1024;

const utf8 = new TextDecoder();
/** For the text after the beginning, where a byte order mark is an ordinary character. */
const laterUtf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * The text of a file with `\n` as line ends: `\r\n` becomes `\n`, any other `\r` a blank. Invalid UTF-8 becomes U+FFFD.
 * @throws ScanError `malformed_package_db` for more than {@link maxDatabaseBytes}
 */
export function decodeText(bytes: Uint8Array): string {
  checkLength(bytes);
  return withPlainLineEnds(utf8.decode(bytes));
}

/** The least number of bytes that are decoded at once. JavaScript engines free texts of this size early, while new ones are made. */
const pieceBytes = 32 * 1024;

/**
 * The text of {@link decodeText} in pieces that end after a blank line, so that no paragraph is split. A caller that keeps a part of a
 * piece must copy it by {@link ownText}, because a part of a text keeps the whole text in memory.
 * @throws ScanError `malformed_package_db` for more than {@link maxDatabaseBytes}
 */
export function* decodeParagraphs(bytes: Uint8Array): Generator<string> {
  checkLength(bytes);
  for (let start = 0; start < bytes.length; ) {
    const end = afterBlankLine(bytes, start + pieceBytes);
    yield withPlainLineEnds((start === 0 ? utf8 : laterUtf8).decode(bytes.subarray(start, end)));
    start = end;
  }
}

/** The end of the first blank line after `from`; the end of the bytes if there is none. */
function afterBlankLine(bytes: Uint8Array, from: number): number {
  for (let lineEnd = bytes.indexOf(lineFeed, from); lineEnd >= 0; lineEnd = bytes.indexOf(lineFeed, lineEnd + 1)) {
    let at = lineEnd + 1;
    while (blanks.has(bytes[at] ?? lineFeed)) at++;
    if (bytes[at] === lineFeed) return at + 1;
  }
  return bytes.length;
}

const lineFeed = 0x0a;
/** Blank, tab, and the `\r` that becomes one or belongs to a line end. */
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d]);

/** A copy of a text, which does not keep a longer text in memory that it may be a part of. */
export function ownText(text: string): string {
  return ` ${text}`.slice(1); // JavaScript engines copy a text that is joined and then cut
}

/** A copy of an object, with {@link ownText} of its texts and of the texts in its lists. */
export function ownWords<Found extends object>(found: Found): Found {
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, ownValue(value)])) as Found;
}

function ownValue(value: unknown): unknown {
  if (typeof value === "string") return ownText(value);
  return Array.isArray(value) ? value.map(ownValue) : value;
}

function checkLength(bytes: Uint8Array): void {
  if (bytes.length <= maxDatabaseBytes) return;
  throw new ScanError(
    "malformed_package_db",
    `expected at most ${maxDatabaseBytes} bytes of text, found ${bytes.length}`,
  );
}

function withPlainLineEnds(text: string): string {
  return text.includes("\r") ? text.replaceAll("\r\n", "\n").replaceAll("\r", " ") : text;
}

/** Whether a name, version or similar word is short and without control characters, so that it can be stored and shown. */
export function isPlain(text: string): boolean {
  if (text.length > maxWordLength) return false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x7f) return false;
  }
  return true;
}

/** An untrusted text for a message: in quotes, control characters escaped, cut after 80 characters. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
