import { safeText } from "@plimsoll/core/internal/safe-text";
import { withoutCredentials } from "@plimsoll/core/internal/without-credentials";
import { CommanderError } from "commander";
import { type ExitCode, exitCodeOf, exitCodes, isScanError, isStoreError, UsageError } from "./exit-code.ts";
import { hintFor } from "./hints.ts";
import { interruptionOf } from "./interruption.ts";
import type { CliIo } from "./io.ts";
import { productVersion } from "./product-version.ts";
import { createProgram } from "./program.ts";

/**
 * Runs one command and returns its exit code. Never throws and never ends the process; it describes errors on standard error.
 *
 * @param words all words after the program's name
 * @example
 * const { stdin, stdout, stderr, env } = process;
 * process.exitCode = await runCli(["scan", "alpine:3.20"], { stdin, stdout, stderr, env, now: Date.now });
 */
export async function runCli(words: readonly string[], io: CliIo): Promise<ExitCode> {
  const program = createProgram(io, productVersion);
  const help = program.helpFor(words);
  if (help !== undefined) {
    io.stdout.write(help);
    return exitCodes.ok;
  }
  await warnOfVariables(io, program.nameOf(words));
  try {
    await program.command.parseAsync(program.withoutHelpWord(words), { from: "user" });
    return program.code() === exitCodes.ok ? exitCodes.ok : (interruptionOf(io.signal)?.exitCode ?? program.code());
  } catch (error) {
    const interruption = interruptionOf(io.signal);
    if (interruption !== undefined) {
      io.stderr.write(`plimsoll: ${interruption.message}\n`);
      return interruption.exitCode;
    }
    const reported = error instanceof CommanderError ? fromCommander(error, program.withoutHelpWord(words)) : error;
    if (reported === undefined) return exitCodes.ok;
    for (const line of await errorLines(reported, program.nameOf(words))) io.stderr.write(`plimsoll: ${line}\n`);
    return exitCodeOf(reported);
  }
}

/** Warns of environment variables that no setting has; `serve` does so in its log. */
async function warnOfVariables({ env, stderr }: CliIo, command: string): Promise<void> {
  if (command.endsWith(" serve") || !Object.keys(env).some((name) => name.startsWith("PLIMSOLL_"))) return;
  const { unknownVariables } = await import("../config/unknown-variables.ts");
  for (const { variable, nearest } of unknownVariables(env))
    stderr.write(`plimsoll: warning: no setting has the variable ${safeText(variable)}; ${nearest} is similar\n`);
}

/** @param command the full name of the called command, with the program's name */
async function errorLines(error: unknown, command: string): Promise<string[]> {
  if (error instanceof UsageError) return [shown(error.message), `see ${command} --help`];
  if (isScanError(error)) return [`${shown(error.message)} [${error.code}]`];
  if (isStoreError(error)) return [shown(error.message)];
  const { describeSystemError, isSystemError } = await import("./system-problem.ts");
  if (isSystemError(error)) return [shown(describeSystemError(error))];
  return [shown(error instanceof Error ? error.message : String(error))];
}

/** Arguments and the messages of libraries may contain addresses with credentials. */
function shown(message: string): string {
  return safeText(withoutCredentials(message));
}

/**
 * The usage error for an error of the argument parser; undefined for help and version texts, after which the command succeeds.
 *
 * @param words all words after the program's name
 */
function fromCommander(error: CommanderError, words: readonly string[]): UsageError | undefined {
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
