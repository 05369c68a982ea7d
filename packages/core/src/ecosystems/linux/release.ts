import type { Release } from "../../distributions/shared/known-distribution.ts";
import { type FileProblems, noteProblem } from "./file-problems.ts";
import { isPlain, quoted } from "./text.ts";

/** Reads one kind of release file; undefined if the file does not name a distribution. Adds to `problems`. */
export type ReadRelease = (bytes: Uint8Array, problems: FileProblems) => Release | undefined;

/** The text in lower case, for `did`, version ids and code names. Undefined, with a problem, for other characters than `0-9 a-z . _ -`. */
export function findIdentifier(name: string, text: string | undefined, problems: FileProblems): string | undefined {
  if (text === undefined || text === "") return undefined;
  const lower = text.toLowerCase();
  if (isPlain(lower) && /^[0-9a-z._-]+$/.test(lower)) return lower;
  noteProblem(problems, 0, `expected ${name} to be letters, digits, ".", "_" or "-", found ${quoted(text)}`);
  return undefined;
}

/** The unchanged display text. Undefined, with a problem, if it is too long or has control characters. */
export function findLabel(name: string, text: string | undefined, problems: FileProblems): string | undefined {
  if (text === undefined || text === "" || isPlain(text)) return text;
  noteProblem(problems, 0, `expected ${name} to be one short line, found ${quoted(text)}`);
  return undefined;
}

/** A CPE name in either binding, of which only the beginning and the characters are checked. Undefined, with a problem, for other text. */
export function findCpe(name: string, text: string | undefined, problems: FileProblems): string | undefined {
  if (text === undefined || text === "") return undefined;
  if (isPlain(text) && /^cpe:(?:\/[aho]:|2\.3:[aho*-]:)[!-~]+$/i.test(text)) return text;
  noteProblem(problems, 0, `expected ${name} to be a CPE, found ${quoted(text)}`);
  return undefined;
}
