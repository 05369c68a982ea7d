import type { ProblemFinding } from "../../plugins/finding.ts";

const listedProblems = 5;

/** What was wrong in one file: the first problems in full, the rest only counted, so that a hostile file stays cheap. */
export interface FileProblems {
  count: number;
  readonly listed: LineProblem[];
}

/** A problem in one line. */
export interface LineProblem {
  /** Counted from 1; 0 for the file as a whole. */
  readonly line: number;
  readonly message: string;
}

/** A list without problems, to be filled by {@link noteProblem}. */
export function noProblems(): FileProblems {
  return { count: 0, listed: [] };
}

/** Adds a problem. */
export function noteProblem(problems: FileProblems, line: number, message: string): void {
  problems.count++;
  if (problems.listed.length < listedProblems) problems.listed.push({ line, message });
}

/** Adds the problems that a part of the reading noted. */
export function mergeProblems(problems: FileProblems, others: FileProblems): void {
  problems.count += others.count;
  problems.listed.push(...others.listed.slice(0, listedProblems - problems.listed.length));
}

/** The problems of one file as one finding; none without problems. */
export function* problemFindings(path: string, code: string, problems: FileProblems): Iterable<ProblemFinding> {
  if (problems.count === 0) return;
  const listed = problems.listed.map(({ line, message }) => (line === 0 ? message : `line ${line}: ${message}`));
  const rest = problems.count - listed.length;
  yield { kind: "problem", path, code, message: [...listed, ...(rest > 0 ? [`and ${rest} more`] : [])].join("; ") };
}
