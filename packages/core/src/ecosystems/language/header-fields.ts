/**
 * The fields at the head of a description, in the form that Python, R and Haskell have from mail:
 *
 * ```
 * head = {name ":" value line-end} [blank-line …]      a line that begins with a blank goes on with the one before
 * ```
 */
import { ownText } from "../linux/text.ts";
import { decodeHead } from "./head.ts";

/** The first fields, which all tools write before any long text. */
const headBytes = 64 * 1024;

/**
 * Fields of a head by their names in lower case; the first of equal ones counts, and empty ones are left out. Names are told apart
 * without case. Only the first line of a value is read.
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
