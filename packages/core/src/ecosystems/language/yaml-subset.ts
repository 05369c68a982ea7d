/**
 * The part of YAML that tools write into lock files:
 *
 * ```
 * block = {key ":" [scalar] line-end [deeper block]} | {"-" (scalar | key ":" …) line-end [deeper block]}
 * key   = plain | "'" … "'" | "\"" … "\"" | "? " long key, with ": " at the beginning of the next line
 * ```
 * Flow collections (`{a: b}`), anchors and aliases remain text. Nothing is expanded, so memory is proportional to the file. Only the first
 * line of a scalar of several lines is kept.
 * @see https://yaml.org/spec/1.2.2/
 */
import { malformedPackageDb } from "../../bytes/malformed-package-db.ts";

/** A value. A scalar is a text, and so is any value that is not parsed. */
export type YamlValue = string | YamlMap | readonly YamlValue[];

/** Members in file order. */
export type YamlMap = ReadonlyMap<string, YamlValue>;

interface Line {
  readonly indent: number;
  readonly text: string;
}

const maxDepth = 50;
const keyed = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'][^:]*(?::[^\s:][^:]*)*):(?:\s(.*))?$/;

/** Parses a document. @throws ScanError `malformed_package_db` if it is nested too deeply */
export function parseYamlSubset(text: string): YamlMap {
  const lines = text.split("\n").flatMap(lineOf);
  const [value] = parseBlock(lines, 0, 0);
  return yamlMap(value);
}

/** The value if it is a map, else an empty map. */
export function yamlMap(value: YamlValue | undefined): YamlMap {
  return value instanceof Map ? value : new Map();
}

/** The value if it is a text, else an empty text. */
export function yamlText(value: YamlValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function lineOf(line: string): readonly Line[] {
  const text = line.trim();
  if (text === "" || text.startsWith("#") || text === "---") return [];
  const indent = line.length - line.trimStart().length;
  return [{ indent, text }];
}

/** The block that begins at a line, and the index of the line after it. */
function parseBlock(lines: Line[], start: number, depth: number): readonly [YamlValue, number] {
  if (depth > maxDepth) throw malformedPackageDb(`YAML: expected at most ${maxDepth} levels, found more`);
  const first = lines[start];
  if (first === undefined) return ["", start];
  return isItem(first) ? parseList(lines, start, depth) : parseMap(lines, start, depth);
}

function parseMap(lines: Line[], start: number, depth: number): readonly [YamlMap, number] {
  const { indent = 0 } = lines[start] ?? {};
  const members = new Map<string, YamlValue>();
  let at = start;
  for (let line = lines[at]; line !== undefined && line.indent >= indent; line = lines[at]) {
    const isLong = line.text.startsWith("? ");
    const [, key, rest = ""] = isLong ? ["", line.text.slice(2), ""] : (keyed.exec(line.text) ?? []);
    at++;
    if (key === undefined || line.indent > indent) continue; // the rest of a scalar, or a line of another form
    const scalar = rest.trim();
    if (isLong) at = openLongValue(lines, at);
    const next = lines[at];
    const hasBlock = next !== undefined && (next.indent > indent || (next.indent === indent && isItem(next)));
    if (scalar !== "" || !hasBlock) members.set(unquoted(key.trim()), unquoted(scalar));
    else {
      const [value, end] = parseBlock(lines, at, depth + 1);
      members.set(unquoted(key.trim()), value);
      at = end;
    }
  }
  return [members, at];
}

/** Turns `: a: 1`, the first line of a long key's value, into `a: 1` with two more blanks of indentation. */
function openLongValue(lines: Line[], at: number): number {
  const line = lines[at];
  if (line?.text.startsWith(": ")) lines[at] = { indent: line.indent + 2, text: line.text.slice(2) };
  return at;
}

function parseList(lines: Line[], start: number, depth: number): readonly [readonly YamlValue[], number] {
  const { indent = 0 } = lines[start] ?? {};
  const items: YamlValue[] = [];
  let at = start;
  for (let line = lines[at]; line?.indent === indent && isItem(line); line = lines[at]) {
    const text = line.text.slice(1).trim();
    if (text !== "" && !keyed.test(text)) {
      items.push(unquoted(text));
      at++;
      while ((lines[at]?.indent ?? -1) > indent) at++; // the rest of a scalar
      continue;
    }
    if (text === "") at++;
    else lines[at] = { indent: indent + line.text.length - text.length, text };
    if ((lines[at]?.indent ?? -1) <= indent) items.push("");
    else {
      const [value, end] = parseBlock(lines, at, depth + 1);
      items.push(value);
      at = end;
    }
  }
  return [items, at];
}

function isItem({ text }: Line): boolean {
  return text === "-" || text.startsWith("- ");
}

function unquoted(text: string): string {
  const quote = text[0];
  if ((quote !== '"' && quote !== "'") || text.length < 2 || !text.endsWith(quote)) return text;
  const inner = text.slice(1, -1);
  return quote === "'" ? inner.replaceAll("''", "'") : inner.replaceAll(/\\(["\\/])/g, "$1");
}
