/**
 * The metadata of an installed Python distribution, of which only the head is read:
 *
 * ```
 * metadata = {name ":" value line-end} [blank-line description]   a line that begins with a blank goes on with the one before
 * ```
 * @see https://packaging.python.org/en/latest/specifications/core-metadata/
 */

/** The first fields, which all tools write before any text. */
const headBytes = 64 * 1024;

const decoder = new TextDecoder();

/** Name and version as they are written; undefined where the head does not say it. */
export interface PythonMetadata {
  readonly name?: string;
  readonly version?: string;
}

/** Reads the head of `METADATA` or `PKG-INFO`. Names of fields are told apart without case; the first of equal ones counts. */
export function parseMetadata(bytes: Uint8Array): PythonMetadata {
  const fields = new Map<string, string>();
  for (const line of decoder.decode(bytes.subarray(0, headBytes)).split("\n")) {
    if (line.trim() === "") break;
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    if ((name === "name" || name === "version") && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
    if (fields.size === 2) break;
  }
  const [name, version] = [fields.get("name"), fields.get("version")];
  return { ...(name && { name }), ...(version && { version }) };
}
