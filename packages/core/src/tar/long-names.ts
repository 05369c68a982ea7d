import { decodeField } from "./text.ts";

/** The name of the next entry from the content of a GNU `L` or `K` member: text that a NUL ends. */
export function readLongName(content: Uint8Array): string {
  return decodeField(content, 0, content.length);
}
