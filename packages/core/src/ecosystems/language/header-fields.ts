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

/** The lines of the head of a description, up to the blank line. */
export function headerLines(bytes: Uint8Array): readonly string[] {
  const lines = decodeHead(bytes, headBytes).split("\n");
  const end = lines.findIndex((line) => line === "" || line === "\r"); // a line of blanks continues the field before it
  return end < 0 ? lines : lines.slice(0, end);
}

/**
 * Reads fields by name. Names are case-insensitive. The first field of a name counts, and empty ones are left out. Only the first line of a
 * value is read.
 * @param names the wanted fields, in lower case
 */
export function readHeaderFields(lines: readonly string[], names: ReadonlySet<string>): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    if (names.has(name) && !fields.has(name)) fields.set(name, ownText(line.slice(colon + 1).trim()));
    if (fields.size === names.size) break;
  }
  return new Map([...fields].filter(([, value]) => value !== ""));
}

const noNames: ReadonlySet<string> = new Set();

/**
 * The lines of all fields by their names in lower case: the first line of each value, and of several fields of a name each. Empty ones are left out.
 * @param joined the names of fields of which all lines are read, joined by blanks
 */
export function readHeaderLists(lines: readonly string[], joined = noNames): ReadonlyMap<string, readonly string[]> {
  const fields = new Map<string, string[]>();
  let last = "";
  for (const line of lines) {
    if (line.startsWith(" ") || line.startsWith("\t")) {
      const values = joined.has(last) ? fields.get(last) : undefined;
      values?.push(`${values.pop() ?? ""} ${ownText(line.trim())}`);
      continue;
    }
    const colon = line.indexOf(":");
    if (colon < 1) continue;
    last = line.slice(0, colon).toLowerCase();
    const values = fields.get(last) ?? [];
    fields.set(last, values);
    values.push(ownText(line.slice(colon + 1).trim()));
  }
  return new Map([...fields].map(([name, values]) => [name, values.filter((value) => value !== "")]));
}
