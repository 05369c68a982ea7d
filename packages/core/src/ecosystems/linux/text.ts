import { ScanError } from "../../errors.ts";

/** Bytes of the largest text file that is read as a package database: as much as a layer keeps of one file. */
export const maxDatabaseBytes = 256 * 1024 ** 2;

/** Characters of the longest name, version or similar word that is believed. */
export const maxWordLength = 1024;

const utf8 = new TextDecoder();

/**
 * The text of a file with `\n` at line ends: `\r\n` becomes `\n`, any other `\r` a blank. What is no UTF-8 becomes U+FFFD.
 * @throws ScanError `malformed_package_db` when there are more than {@link maxDatabaseBytes}
 */
export function decodeText(bytes: Uint8Array): string {
  if (bytes.length > maxDatabaseBytes) {
    throw new ScanError(
      "malformed_package_db",
      `expected at most ${maxDatabaseBytes} bytes of text, found ${bytes.length}`,
    );
  }
  const text = utf8.decode(bytes);
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
