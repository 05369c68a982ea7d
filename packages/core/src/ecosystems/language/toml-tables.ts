/**
 * The part of TOML that tools write into lock files:
 *
 * ```
 * document = {"[" name "]" | "[[" name "]]" | key "=" value | "#" … }
 * value    = text in quotes | "[" … "]", over several lines or one | any other text of one line
 * ```
 * Values are not parsed until they are asked for. Nothing is expanded, so memory is proportional to the file.
 * @see https://toml.io/en/v1.0.0
 */

/** A table with its members, whose values are unparsed texts. */
export interface TomlTable {
  /** `package`, `package.dependencies`; empty for the members before the first table. */
  readonly name: string;
  readonly members: ReadonlyMap<string, string>;
}

const plainKey = /^(?:"[^"]*"|[\w-]+)$/;

/** Reads the tables of a document in order. Lines of another form are ignored. */
export function* tomlTables(text: string): Generator<TomlTable> {
  let name = "";
  let members = new Map<string, string>();
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] ?? "").trim();
    const title = titleOf(line);
    const [key, value] = title === undefined ? memberOf(line) : [undefined, ""];
    if (title !== undefined) {
      yield { name, members };
      name = title;
      members = new Map();
    } else if (key !== undefined) {
      const rest = endOf(value);
      const parts = [value];
      while (rest !== undefined && ++at < lines.length) {
        parts.push(lines[at] ?? "");
        if ((lines[at] ?? "").trim().endsWith(rest)) break;
      }
      members.set(key.replaceAll('"', ""), parts.join("\n"));
    }
  }
  yield { name, members };
}

/** `package` of `[[package]]`. */
function titleOf(line: string): string | undefined {
  if (!line.startsWith("[") || !line.endsWith("]")) return undefined;
  return line.replaceAll(/[[\]]/g, "").trim();
}

function memberOf(line: string): readonly [string | undefined, string] {
  const at = line.indexOf("=");
  const key = line.slice(0, Math.max(0, at)).trim();
  return plainKey.test(key) ? [key, line.slice(at + 1).trim()] : [undefined, ""];
}

/** The end of a value that continues in the next line; undefined for a value of one line. */
function endOf(value: string): string | undefined {
  if (value.startsWith('"""') && !value.slice(3).includes('"""')) return '"""';
  return value.startsWith("[") && !value.endsWith("]") ? "]" : undefined;
}

/** The text of a member; empty if it is not a text. */
export function tomlText({ members }: TomlTable, name: string): string {
  const value = members.get(name) ?? "";
  return /^["']/.test(value) ? (quotedTexts(value).next().value ?? "") : "";
}

/** The texts of a member that is a list; empty if it is not. */
export function tomlTexts({ members }: TomlTable, name: string): readonly string[] {
  const value = members.get(name) ?? "";
  return value.startsWith("[") ? [...quotedTexts(value)] : [];
}

/** The inline tables in a value, such as `[{ name = "a", extra = ["b"] }]`; tables in tables remain a text. One without an end is left out. */
export function tomlInlineTables(value: string): readonly TomlTable[] {
  const tables: TomlTable[] = [];
  let [depth, start, members] = [0, 0, new Map<string, string>()];
  const endMember = (at: number) => {
    const [key, text] = memberOf(value.slice(start, at).trim());
    if (key !== undefined) members.set(key.replaceAll('"', ""), text);
    start = at + 1;
  };
  for (let at = 0; at < value.length; at++) {
    const sign = value[at] ?? "";
    if (sign === '"' || sign === "'") at = endOfQuoted(value, at);
    else if (sign === "{" && depth === 0) [depth, start, members] = [1, at + 1, new Map()];
    else if (depth > 0 && (sign === "{" || sign === "[")) depth++;
    else if (depth > 1 && (sign === "}" || sign === "]")) depth--;
    else if (depth === 1 && sign === ",") endMember(at);
    else if (depth === 1 && sign === "}") {
      endMember(at);
      tables.push({ name: "", members });
      depth = 0;
    }
  }
  return tables;
}

/** Where the quoted text that begins at `start` ends; the end of the value for one without a closing quote. */
function endOfQuoted(value: string, start: number): number {
  const quote = value[start];
  let at = start + 1;
  while (at < value.length && value[at] !== quote) at += quote === '"' && value[at] === "\\" ? 2 : 1;
  return at;
}

/** The quoted texts in a value. A text without a closing quote is left out. */
function* quotedTexts(value: string): Generator<string, undefined> {
  for (let at = 0; at < value.length; at++) {
    const quote = value[at];
    if (quote !== '"' && quote !== "'") continue;
    const start = at + 1;
    at = endOfQuoted(value, at);
    if (at < value.length) yield value.slice(start, at);
  }
}
