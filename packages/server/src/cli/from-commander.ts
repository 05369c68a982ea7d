import type { CommanderError } from "commander";
import { UsageError } from "./exit-code.ts";
import { hintFor } from "./hints.ts";

/**
 * Turns what the argument parser throws into a usage error; help and version texts end the command well.
 *
 * @param words what was typed behind the program's name
 */
export function fromCommander(error: CommanderError, words: readonly string[]): UsageError | undefined {
  if (error.exitCode === 0) return undefined;
  const [said = "", suggestion] = error.message.replace(/^error: /, "").split("\n(Did you mean ");
  const hint = hintFor(said, words);
  if (hint !== undefined) return new UsageError(`${said.replace(/\.$/, "")}: ${hint}`);
  return new UsageError(suggestion === undefined ? said : `${said}; did you mean ${suggestion.replace(/\)$/, "")}`);
}
