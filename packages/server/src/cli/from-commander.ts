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
  const message = error.message.replace(/^error: /, "");
  const [problem = "", suggestion] = withoutOptionValue(message).split("\n(Did you mean ");
  const hint = hintFor(problem, words);
  if (hint !== undefined) return new UsageError(`${problem.replace(/\.$/, "")}: ${hint}`);
  return new UsageError(
    suggestion === undefined ? problem : `${problem}; did you mean ${suggestion.replace(/\)$/, "")}`,
  );
}

/** Removes the value of an unknown option from a message: `--s3-secret-key=…` may contain a secret. */
function withoutOptionValue(message: string): string {
  const [name, ...value] = message.startsWith("unknown option '") ? message.split("=") : [message];
  if (name === undefined || value.length === 0) return message;
  const suggestion = message.lastIndexOf("\n(Did you mean ");
  return `${name}'${suggestion < 0 ? "" : message.slice(suggestion)}`;
}
