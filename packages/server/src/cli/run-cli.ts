import { safeText } from "@plimsoll/core/internal/safe-text";
import { withoutCredentials } from "@plimsoll/core/internal/without-credentials";
import { CommanderError } from "commander";
import { type ExitCode, exitCodeOf, exitCodes, isScanError, isStoreError, UsageError } from "./exit-code.ts";
import { fromCommander } from "./from-commander.ts";
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
