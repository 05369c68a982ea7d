import { decodeField } from "./text.ts";

/**
 * The name or link target of the next entry, from the content of a GNU `L` or `K` member: text that ends with a NUL.
 * @example
 * readLongName(new TextEncoder().encode("usr/share/doc\0")); // "usr/share/doc"
 */
export function readLongName(content: Uint8Array): string {
  return decodeField(content, 0, content.length);
}
