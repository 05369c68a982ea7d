import type { Release } from "../../distributions/shared/known-distribution.ts";
import { type FileProblems, noteProblem } from "./file-problems.ts";
import { isPlain, quoted } from "./text.ts";

/** Reads one kind of release file; undefined when the file does not say which distribution it is. Notes problems. */
export type ReadRelease = (bytes: Uint8Array, problems: FileProblems) => Release | undefined;

/** Lower-case text of `0-9 a-z . _ -` as `did`, version ids and code names are; undefined, with a problem, for others. */
export function findIdentifier(name: string, text: string | undefined, problems: FileProblems): string | undefined {
  if (text === undefined || text === "") return undefined;
  const lower = text.toLowerCase();
  if (isPlain(lower) && /^[0-9a-z._-]+$/.test(lower)) return lower;
  noteProblem(problems, 0, `expected ${name} to be letters, digits, ".", "_" or "-", found ${quoted(text)}`);
  return undefined;
}

/** Text for people as it is; undefined, with a problem, when it is too long or has control characters. */
export function findLabel(name: string, text: string | undefined, problems: FileProblems): string | undefined {
  if (text === undefined || text === "" || isPlain(text)) return text;
  noteProblem(problems, 0, `expected ${name} to be one short line, found ${quoted(text)}`);
  return undefined;
}

/** A CPE name in either binding, of the right outer form; undefined, with a problem, for other text. */
export function findCpe(name: string, text: string | undefined, problems: FileProblems): string | undefined {
  if (text === undefined || text === "") return undefined;
  if (isPlain(text) && /^cpe:(?:\/[aho]:|2\.3:[aho*-]:)[!-~]+$/i.test(text)) return text;
  noteProblem(problems, 0, `expected ${name} to be a CPE, found ${quoted(text)}`);
  return undefined;
}
