import type { CommanderError } from "commander";
import { UsageError } from "./exit-code.ts";
import { hintFor } from "./hints.ts";

/**
 * The usage error for an error of the argument parser; undefined for help and version texts, after which the command succeeds.
 *
 * @param words all words after the program's name
 */
export function fromCommander(error: CommanderError, words: readonly string[]): UsageError | undefined {
  if (error.exitCode === 0) return undefined;
  const [problem = "", suggestion] = error.message.replace(/^error: /, "").split("\n(Did you mean ");
  const hint = hintFor(problem, words);
  if (hint !== undefined) return new UsageError(`${problem.replace(/\.$/, "")}: ${hint}`);
  return new UsageError(
    suggestion === undefined ? problem : `${problem}; did you mean ${suggestion.replace(/\)$/, "")}`,
  );
}
