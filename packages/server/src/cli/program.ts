import { Command } from "commander";
import { type ExitCode, exitCodes } from "./exit-code.ts";
import { helpBelow, helpLayout, helpWidthOf } from "./help-layout.ts";
import { wordsHelp } from "./help-texts.ts";
import type { CliIo } from "./io.ts";
import { addAdminCommands } from "./program/admin-commands.ts";
import { commandAt, pathOf, withoutHelpWord } from "./program/called-command.ts";
import { addDatabaseCommands } from "./program/database-commands.ts";
import { globalFlags } from "./program/flags.ts";
import { addImageCommands } from "./program/image-commands.ts";
import { addImportCommands } from "./program/import-commands.ts";
import { addJobCommands } from "./program/job-commands.ts";
import type { OwnOptions, Run } from "./program/run.ts";
import { addServeCommand } from "./program/serve-command.ts";
import { addVersionCommands } from "./program/version-commands.ts";
import { shells } from "./shells.ts";

/** The parser of the command line, and the exit code of the command that ran. */
export interface Program {
  readonly command: Command;
  /** The help of a command group, if the words name just the group, for example `plimsoll db`. */
  helpFor(words: readonly string[]): string | undefined;
  /** Replaces `help` before a command by `--help` after it: `help db update` becomes `db update --help`. */
  withoutHelpWord(words: readonly string[]): string[];
  /** The full name of the called command, with the program's name; that of the group for an unknown command in it. */
  nameOf(words: readonly string[]): string;
  /** The exit code, after the command has run. */
  code(): ExitCode;
}

/** Builds the parser of the command line. Nothing is read or opened before a command runs. */
export function createProgram(io: CliIo, version: string): Program {
  let code: ExitCode = exitCodes.ok;
  const program = new Command("plimsoll")
    .description("Says what is in a container image and what is wrong with it.")
    .version(version, "--version")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      outputError: () => {},
      getOutHelpWidth: () => helpWidthOf(io.stdout),
    })
    .configureHelp(helpLayout)
    .showSuggestionAfterError();
  const run: Run = (command, act) =>
    command.action(async () => {
      const { startSession } = await import("./session.ts");
      code = await act(await startSession(globalFlags(command), io), command.processedArgs, command.opts<OwnOptions>());
    });
  addImageCommands(program, run);
  addDatabaseCommands(program, run);
  addVersionCommands(program, io, version);
  const end = (ended: ExitCode) => {
    code = ended;
  };
  addServeCommand(program, io, end);
  addJobCommands(program, io, end);
  addAdminCommands(program, io, end);
  addImportCommands(program, io, end);
  program
    .command("completion <shell>")
    .description(`print a completion script for ${shells.join(", ")}`)
    .addHelpText("after", helpBelow(wordsHelp))
    .action(async (shell: string) => {
      const { completion } = await import("../commands/completion.ts");
      completion(io, program, shell);
    });
  const groups = [
    program,
    ...program.commands.filter((each) => ["admin", "db", "import", "jobs"].includes(each.name())),
  ];
  const helpFor = (words: readonly string[]) =>
    groups.find((each) => each && pathOf(each) === words.join(" "))?.helpInformation();
  return {
    command: program,
    helpFor,
    withoutHelpWord: (words) => withoutHelpWord(program, words),
    nameOf: (words) => `plimsoll ${pathOf(commandAt(program, withoutHelpWord(program, words)).command)}`.trim(),
    code: () => code,
  };
}
