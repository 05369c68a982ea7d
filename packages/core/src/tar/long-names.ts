import { decodeField } from "./text.ts";

/**
 * The name of the next entry from the content of a GNU `L` or `K` member: text that a NUL ends.
 * @example
 * readLongName(new TextEncoder().encode("usr/share/doc\0")); // "usr/share/doc"
 */
export function readLongName(content: Uint8Array): string {
  return decodeField(content, 0, content.length);
}
