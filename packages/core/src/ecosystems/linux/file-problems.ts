import type { ProblemFinding } from "../../plugins/finding.ts";

const listedProblems = 5;

/** The problems of one file. Only the first are listed, the others are counted, so that a hostile file does not fill the memory. */
export interface FileProblems {
  count: number;
  readonly listed: {
    /** Numbered from 1; 0 for the file as a whole. */
    readonly line: number;
    readonly message: string;
  }[];
}

/** An empty list of problems, for {@link noteProblem}. */
export function noProblems(): FileProblems {
  return { count: 0, listed: [] };
}

/** Adds a problem. */
export function noteProblem(problems: FileProblems, line: number, message: string): void {
  problems.count++;
  if (problems.listed.length < listedProblems) problems.listed.push({ line, message });
}

/** Adds the problems of another list. */
export function mergeProblems(problems: FileProblems, others: FileProblems): void {
  problems.count += others.count;
  problems.listed.push(...others.listed.slice(0, listedProblems - problems.listed.length));
}

/** One finding for all problems of a file; none without problems. */
export function* problemFindings(path: string, code: string, problems: FileProblems): Iterable<ProblemFinding> {
  if (problems.count === 0) return;
  const listed = problems.listed.map(({ line, message }) => (line === 0 ? message : `line ${line}: ${message}`));
  const rest = problems.count - listed.length;
  yield { kind: "problem", path, code, message: [...listed, ...(rest > 0 ? [`and ${rest} more`] : [])].join("; ") };
}
