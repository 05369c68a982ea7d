import { safeText } from "@plimsoll/core/internal/safe-text";
import { withoutCredentials } from "@plimsoll/core/internal/without-credentials";
import { CommanderError } from "commander";
import { type ExitCode, exitCodeOf, exitCodes, isScanError, isStoreError, UsageError } from "./exit-code.ts";
import { type CliIo, interruptionOf } from "./io.ts";
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

/** Flags of other scanners, with the text that names ours. */
const flagHints: Readonly<Record<string, string>> = {
  "--db-update": "run plimsoll db update",
  "--exit-code": "--fail-on high ends with exit code 1",
  "--exclude": "there is no such filter yet",
  "--file": "-o json=FILE writes a result to a file",
  "--ignore-unfixed": "--show fixable shows only what has a fix",
  "--image": "write the image without a flag: plimsoll scan nginx:1.27",
  "--input": "write the file without a flag: plimsoll scan image.tar",
  "--only-fixed": "--show fixable shows only what has a fix",
  "--output-file": "-o json=FILE writes a result to a file",
  "--scanners": "plimsoll looks for vulnerable packages only",
  "--severity": "--show high+ shows only such findings, --fail-on high+ fails for them",
  "-s": "--show high+ shows only such findings, --fail-on high+ fails for them",
  "--skip-db-update": "a scan never updates the database; plimsoll db update does",
  "--template": "the formats are those of --output",
};

const formatFlags: ReadonlySet<string> = new Set(["-f", "--format", "-o", "--output"]);

const folderWords: ReadonlySet<string> = new Set(["dir", "directory", "filesystem", "folder", "fs", "rootfs"]);
const imageWords: ReadonlySet<string> = new Set(["container", "image", "img", "registry"]);

const otherScans = "plimsoll looks for vulnerable packages of images and root file systems only: plimsoll scan SOURCE";

/** Commands of other scanners and registries; a key is the whole path, such as `db list`. */
const commandHints: Readonly<Record<string, string>> = {
  adduser: "run plimsoll admin create-user NAME",
  analyze: "run plimsoll scan",
  backup: "run plimsoll admin backup FOLDER",
  check: "run plimsoll scan",
  compare: "run plimsoll diff A B for images, or plimsoll version compare for versions",
  config: otherScans,
  "db check": "run plimsoll db status",
  "db download": "run plimsoll db update",
  "db list": "run plimsoll db status",
  "db pull": "run plimsoll db update",
  download: "run plimsoll db update",
  export: "run plimsoll db export FILE",
  "collect-garbage": "run plimsoll admin gc",
  gc: "run plimsoll admin gc",
  git: otherScans,
  import: "run plimsoll db import FILE",
  k8s: otherScans,
  kubernetes: otherScans,
  list: "plimsoll index SOURCE lists what is in an image",
  packages: "plimsoll index SOURCE lists what is in an image",
  passwd: "run plimsoll admin reset-password NAME",
  repo: otherScans,
  repository: otherScans,
  restore: "run plimsoll admin restore FOLDER",
  server: "run plimsoll serve",
  status: "run plimsoll db status",
  update: "run plimsoll db update",
  user: "run plimsoll admin create-user NAME",
  vm: otherScans,
};

const tooMany = "too many arguments for '";

/**
 * The end of an error message that names our flag or command for one of another tool; undefined for an unknown word.
 *
 * @param message the message of the argument parser
 * @param words all words after the program's name
 */
function hintFor(message: string, words: readonly string[]): string | undefined {
  const [, flag] = /^unknown option '(--?[a-z-]+)/.exec(message) ?? [];
  if (flag !== undefined) return flagHint(flag, words);
  const [, word] = /^unknown command '(.*)'$/s.exec(message) ?? [];
  if (word !== undefined) return wordHint(words.slice(0, words.indexOf(word) + 1), words);
  if (!message.startsWith(tooMany)) return undefined;
  const [command = ""] = message.slice(tooMany.length).split("'");
  const [, operands = ""] = message.split(/ got \d+: /);
  return kindHint(command, operands.replace(/\.$/, "").split(", "));
}

function flagHint(flag: string, words: readonly string[]): string | undefined {
  if (!formatFlags.has(flag)) return Object.hasOwn(flagHints, flag) ? flagHints[flag] : undefined;
  if (words[0]?.startsWith("-")) return `flags stand behind the command: plimsoll scan ${flag} json SOURCE`;
  return "only commands about images write in several formats: plimsoll help COMMAND names them";
}

function wordHint(path: readonly string[], words: readonly string[]): string | undefined {
  const name = path.join(" ");
  if (Object.hasOwn(commandHints, name)) return commandHints[name];
  if (path.length > 1) return undefined;
  const [operand] = words.slice(1).filter((word) => !word.startsWith("-"));
  const kind = kindHint("scan", [name, operand ?? (folderWords.has(name) ? "PATH" : "REF")]);
  return kind ?? (/[/:.@]/.test(name) ? `to scan it, run plimsoll scan ${name}` : undefined);
}

/** Other scanners expect the kind of a source before the source, such as `image nginx`. */
function kindHint(command: string, [kind = "", source = "", ...others]: readonly string[]): string | undefined {
  const run = (named: string) => `run plimsoll ${[command, named, ...others].join(" ")}`;
  if (imageWords.has(kind)) return run(source);
  return folderWords.has(kind) ? run(source.startsWith("dir:") ? source : `dir:${source}`) : undefined;
}
