/**
 * Files of shell-like assignments: os-release, lsb-release.
 *
 * ```
 * file       = {blank line | "#" comment | assignment}
 * assignment = name "=" value            blanks around the line do not count
 * value      = single | double | bare
 * single     = "'" {text | "'\''"} "'"   no other escapes
 * double     = '"' {text | "\" ("`" | "\" | '"' | "$")} '"'
 * ```
 * Any other line is skipped with a problem. A value with a missing closing quote is read up to the end of the line.
 *
 * @see https://www.freedesktop.org/software/systemd/man/latest/os-release.html#Description
 */
import { type FileProblems, noProblems, noteProblem } from "./file-problems.ts";
import { lineText, nextLine, openLines } from "./lines.ts";
import { decodeText, quoted } from "./text.ts";

/** The largest release file that is read, in bytes; real ones have less than a thousandth of it. */
export const maxReleaseFileBytes = 1024 ** 2;

/** The assignments in a file. */
export interface Assignments {
  /** By name, unquoted; the last one of a name counts. */
  readonly values: ReadonlyMap<string, string>;
  readonly problems: FileProblems;
}

/** Parses the assignments of a file. A file above {@link maxReleaseFileBytes} has no values and a problem. Never throws. */
export function parseAssignments(bytes: Uint8Array): Assignments {
  const values = new Map<string, string>();
  const problems = noProblems();
  if (bytes.length > maxReleaseFileBytes) {
    noteProblem(problems, 0, `expected at most ${maxReleaseFileBytes} bytes, found ${bytes.length}`);
    return { values, problems };
  }
  const cursor = openLines(decodeText(bytes));
  while (nextLine(cursor)) {
    const line = lineText(cursor).trim();
    if (line === "" || line.startsWith("#")) continue;
    const equals = line.indexOf("=");
    const name = line.slice(0, equals);
    if (equals < 0 || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      noteProblem(problems, cursor.line, `expected NAME=value, found ${quoted(line)}`);
      continue;
    }
    const { value, fault } = unquote(line.slice(equals + 1));
    if (fault !== undefined) noteProblem(problems, cursor.line, `${fault}: ${quoted(line)}`);
    values.set(name, value);
  }
  return { values, problems };
}

interface Unquoted {
  readonly value: string;
  readonly fault?: string;
}

function unquote(text: string): Unquoted {
  if (text.startsWith('"')) return unquoteDouble(text);
  if (text.startsWith("'")) return unquoteSingle(text);
  return { value: text };
}

function unquoteSingle(text: string): Unquoted {
  const parts = text.slice(1).split("'\\''");
  const last = parts.at(-1) ?? "";
  const close = last.indexOf("'");
  const before = [...parts.slice(0, -1), close < 0 ? last : last.slice(0, close)];
  const stray = parts.slice(0, -1).some((part) => part.includes("'")) || (close >= 0 && close < last.length - 1);
  return { value: before.join("'"), ...faultOf({ open: close < 0, stray }) };
}

function unquoteDouble(text: string): Unquoted {
  let value = "";
  let from = 1;
  for (let at = 1; at < text.length; at++) {
    if (text[at] === '"')
      return { value: value + text.slice(from, at), ...faultOf({ open: false, stray: at < text.length - 1 }) };
    if (text[at] !== "\\" || !'`\\"$'.includes(text[at + 1] ?? " ")) continue;
    value += text.slice(from, at);
    from = ++at; // the escaped character is copied with the characters after it
  }
  return { value: value + text.slice(from), ...faultOf({ open: true, stray: false }) };
}

function faultOf({ open, stray }: { readonly open: boolean; readonly stray: boolean }): { readonly fault?: string } {
  if (open) return { fault: "the closing quote is missing" };
  return stray ? { fault: "text after the closing quote" } : {};
}
