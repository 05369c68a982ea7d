import { Command, Option } from "commander";
import type { ListJobsFlags, ShowJobsFlags } from "../commands/jobs.ts";
import { allSettings, type SettingName } from "../config/all-settings.ts";
import type { ServiceFlags } from "../config/resolve-service-settings.ts";
import { type ExitCode, exitCodes } from "./exit-code.ts";
import { helpBelow, helpLayout, helpWidthOf, jobStates, jobsHelp, serveHelp, wordsHelp } from "./help-texts.ts";
import type { CliIo } from "./io.ts";
import { addAdminCommands } from "./program/admin-commands.ts";
import { addDatabaseCommands } from "./program/database-commands.ts";
import { configFlag, globalFlags, settingFlag, withStoreFlags } from "./program/flags.ts";
import { addImageCommands } from "./program/image-commands.ts";
import { addImportCommands } from "./program/import-commands.ts";
import type { OwnOptions, Run } from "./program/run.ts";
import { shells } from "./shells.ts";

/** The parser of the command line, and the exit code of the command that ran. */
interface Program {
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

/** The command that the first words name, and the remaining words. */
function commandAt(from: Command, words: readonly string[]): { readonly command: Command; readonly rest: string[] } {
  const [word, ...others] = words;
  const next = from.commands.find((each) => word !== undefined && [each.name(), ...each.aliases()].includes(word));
  return next === undefined ? { command: from, rest: [...words] } : commandAt(next, others);
}

/** Replaces `help` before a command by `--help` after it. */
function withoutHelpWord(program: Command, words: readonly string[]): string[] {
  const { command, rest } = commandAt(program, words);
  const [word, ...topic] = rest;
  if (word !== "help" || command.commands.length === 0) return [...words];
  const named = commandAt(command, topic);
  const isUnknown = named.rest.length > 0 && named.command.commands.length > 0;
  const path = pathOf(named.command).split(" ").filter(Boolean);
  return isUnknown ? [...path, ...named.rest] : [...path, "--help"];
}

/** The full name of a command, without the program's name. */
function pathOf(command: Command): string {
  return command.parent === null ? "" : `${pathOf(command.parent)} ${command.name()}`.trim();
}

/** Adds `version`, which prints the program's version, and `version compare` for versions of packages. */
function addVersionCommands(program: Command, io: CliIo, version: string): void {
  program
    .command("version")
    .description("print the version of plimsoll, or compare two versions of a package")
    .addHelpText("after", helpBelow(wordsHelp))
    .action(() => void io.stdout.write(`${version}\n`))
    .command("compare <scheme> <a> <b>")
    .description("say which of two versions is newer")
    .addHelpText("after", helpBelow(wordsHelp))
    .action(async (scheme: string, a: string, b: string) => {
      const { versionCompare } = await import("../commands/version-compare.ts");
      versionCompare(io, { schemeName: scheme, a, b });
    });
}

/** Adds the `jobs` commands for operators. */
function addJobCommands(program: Command, io: CliIo, end: (code: ExitCode) => void): void {
  const jobs = program
    .command("jobs")
    .description("the jobs of a service: those that wait, run or have failed for good (dead)");
  const commands = () => import("../commands/jobs.ts");
  const described = (command: Command, description: string) =>
    withStoreFlags(command.description(description).addHelpText("after", helpBelow(jobsHelp)));
  described(jobs.command("list"), "list jobs")
    .option("--kind <kind>", "only jobs of this kind")
    .addOption(new Option("--state <state>", "only jobs in this state").choices(jobStates))
    .option("--limit <number>", "how many at most (by default 100)")
    .option("--json", "as JSON")
    .action(async ({ json, kind, state, limit, ...flags }: ServiceFlags & ListJobsFlags) =>
      end(
        await (await commands()).jobsList(io, flags, {
          json: json || undefined,
          kind,
          state,
          limit,
        }),
      ),
    );
  described(jobs.command("show <id>"), "show a job and its payload")
    .option("--json", "as JSON")
    .action(async (id: string, { json, ...flags }: ServiceFlags & ShowJobsFlags) =>
      end(await (await commands()).jobsShow(io, flags, { id, json: json || undefined })),
    );
  for (const [action, description] of [
    ["retry", "give dead jobs all their attempts again"],
    ["cancel", "remove jobs that wait, and stop those that run; a recurring job skips one run"],
    ["delete", "remove dead jobs"],
  ] as const)
    described(jobs.command(`${action} <id...>`), description).action(async (ids: string[], flags: ServiceFlags) =>
      end(await (await commands()).jobsAct(io, flags, { action, ids })),
    );
}

/** Adds the `serve` command. Its flags are those of the settings that declare one. */
function addServeCommand(program: Command, io: CliIo, end: (code: ExitCode) => void): void {
  const command = program
    .command("serve")
    .description("run the scanner service and the registry")
    .addHelpText("after", helpBelow(serveHelp));
  for (const name of Object.keys(allSettings) as SettingName[]) {
    const flag = settingFlag(name);
    if (flag !== undefined) command.addOption(flag);
  }
  command.option(...configFlag).action(async (flags: ServiceFlags) => {
    const { serve } = await import("../commands/serve.ts");
    end(await serve(io, flags));
  });
}
