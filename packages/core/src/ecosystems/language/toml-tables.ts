/**
 * The part of TOML that tools write into lock files:
 *
 * ```
 * document = {"[" name "]" | "[[" name "]]" | key "=" value | "#" … }
 * value    = text in quotes | "[" … "]", over several lines or one | any other text of one line
 * ```
 * Members of inline tables are not told apart. Nothing is expanded, so that memory is that of the file.
 * @see https://toml.io/en/v1.0.0
 */

/** A table with its members as they are written. */
export interface TomlTable {
  /** `package`, `package.dependencies`; empty for what stands before the first table. */
  readonly name: string;
  readonly members: ReadonlyMap<string, string>;
}

const header = /^\[\[?\s*([^[\]]+?)\s*\]\]?$/;
const member = /^("[^"]*"|[\w-]+)\s*=\s*(.*)$/;
const quotedText = /"((?:[^"\\]|\\.)*)"|'([^']*)'/;
const quotedTexts = new RegExp(quotedText, "g");

/** The tables of a document in their order. What is of another form is left out. */
export function* tomlTables(text: string): Generator<TomlTable> {
  let name = "";
  let members = new Map<string, string>();
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = (lines[at] ?? "").trim();
    const [, title] = header.exec(line) ?? [];
    const [, key, value = ""] = title === undefined ? (member.exec(line) ?? []) : [];
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

/** What ends a value that goes on in the next line; undefined for one that does not. */
function endOf(value: string): string | undefined {
  if (value.startsWith('"""') && !value.slice(3).includes('"""')) return '"""';
  return value.startsWith("[") && !value.endsWith("]") ? "]" : undefined;
}

/** The text of a member; empty where it is none. */
export function tomlText({ members }: TomlTable, name: string): string {
  const value = members.get(name) ?? "";
  const [, double, single] = /^["']/.test(value) ? (quotedText.exec(value) ?? []) : [];
  return double ?? single ?? "";
}

/** The texts of a member that is a list. */
export function tomlTexts({ members }: TomlTable, name: string): readonly string[] {
  const value = members.get(name) ?? "";
  return value.startsWith("[") ? [...value.matchAll(quotedTexts)].map(([, a, b]) => a ?? b ?? "") : [];
}
