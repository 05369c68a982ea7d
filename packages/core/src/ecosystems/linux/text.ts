import { ScanError } from "../../errors.ts";

/** Bytes of the largest text file that is read as a package database: as much as a layer keeps of one file. */
export const maxDatabaseBytes = 256 * 1024 ** 2;

/** Characters of the longest name, version or similar word that is believed. */
export const maxWordLength = 1024;

const utf8 = new TextDecoder();
/** A mark of the byte order is one only at the beginning. */
const laterUtf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * The text of a file with `\n` at line ends: `\r\n` becomes `\n`, any other `\r` a blank. What is no UTF-8 becomes U+FFFD.
 * @throws ScanError `malformed_package_db` when there are more than {@link maxDatabaseBytes}
 */
export function decodeText(bytes: Uint8Array): string {
  checkLength(bytes);
  return withPlainLineEnds(utf8.decode(bytes));
}

/** Bytes of text that are decoded at once, at least: of texts this short the engine frees the old ones while it makes new ones. */
const pieceBytes = 32 * 1024;

/**
 * The text of {@link decodeText} in pieces that end after a blank line, so that no paragraph is torn. Who keeps a part of a piece
 * keeps {@link ownText} of it: a part of a text holds all of it in memory.
 * @throws ScanError `malformed_package_db` when there are more than {@link maxDatabaseBytes}
 */
export function* decodeParagraphs(bytes: Uint8Array): Generator<string> {
  checkLength(bytes);
  for (let start = 0; start < bytes.length; ) {
    const end = afterBlankLine(bytes, start + pieceBytes);
    yield withPlainLineEnds((start === 0 ? utf8 : laterUtf8).decode(bytes.subarray(start, end)));
    start = end;
  }
}

/** Where the first blank line from a place on ends; the end of the bytes where there is none. */
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

/** The same text without the longer one that it may be a part of. */
export function ownText(text: string): string {
  return ` ${text}`.slice(1); // joined and cut, it is copied
}

/** What was read, with {@link ownText} of its words and of those in its lists. */
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

/** Whether a name, version or the like is short and free of control characters, so that it can be stored and shown. */
export function isPlain(text: string): boolean {
  if (text.length > maxWordLength) return false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x7f) return false;
  }
  return true;
}

/** Text from outside as a message quotes it: in quotes, control characters escaped, cut after 80 characters. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
