/**
 * The header fields of a description, in the form of mail headers that Python, R and Haskell use:
 *
 * ```
 * head = {name ":" value line-end} [blank-line …]      a line that begins with a blank continues the line before
 * ```
 */
import { ownText } from "../linux/text.ts";
import { decodeHead } from "./head.ts";

/** The bytes that are read. All tools write name and version before any long text. */
const headBytes = 64 * 1024;

/**
 * Reads fields by name. Names are case-insensitive. The first field of a name counts, and empty ones are left out. Only the first line of a
 * value is read.
 * @param names the wanted fields, in lower case
 */
export function readHeaderFields(bytes: Uint8Array, names: ReadonlySet<string>): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const line of decodeHead(bytes, headBytes).split("\n")) {
    if (line.trim() === "") break;
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    if (names.has(name) && !fields.has(name)) fields.set(name, ownText(line.slice(colon + 1).trim()));
    if (fields.size === names.size) break;
  }
  return new Map([...fields].filter(([, value]) => value !== ""));
}

/** The lines of all fields by their names in lower case: the first line of each value, and of several fields of a name each. Empty ones are left out. */
export function readHeaderLists(bytes: Uint8Array): ReadonlyMap<string, readonly string[]> {
  const fields = new Map<string, string[]>();
  for (const line of decodeHead(bytes, headBytes).split("\n")) {
    if (line.trim() === "") break;
    const colon = line.indexOf(":");
    const value = line.slice(colon + 1).trim();
    if (colon < 1 || value === "" || isContinued(line)) continue;
    const name = line.slice(0, colon).toLowerCase();
    const values = fields.get(name) ?? [];
    fields.set(name, values);
    values.push(ownText(value));
  }
  return fields;
}

function isContinued(line: string): boolean {
  return line.startsWith(" ") || line.startsWith("\t");
}
