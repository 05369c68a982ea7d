import { Command, type CommanderError, Option } from "commander";
import type { ListJobsFlags, ShowJobsFlags } from "../commands/jobs.ts";
import type { ReportFlags } from "../commands/report.ts";
import type { ServiceFlags } from "../config/resolve-service-settings.ts";
import { serviceModes } from "../config/service-modes.ts";
import { compatibilityProfiles, logLevels } from "../config/service-settings.ts";
import { settingsOfFlags } from "../config/settings.ts";
import { colourModes } from "../render/colour.ts";
import { type ExitCode, exitCodes, UsageError } from "./exit-code.ts";
import { helpBelow, helpLayout, helpWidthOf } from "./help-layout.ts";
import {
  collectHelp,
  databaseHelp,
  jobStates,
  jobsHelp,
  reportHelp,
  serveHelp,
  sourceHelp,
  updateHelp,
  wordsHelp,
} from "./help-texts.ts";
import { hintFor } from "./hints.ts";
import type { CliIo } from "./io.ts";
import { outputFormats } from "./output-format.ts";
import type { GlobalFlags, Session } from "./session.ts";
import { shells } from "./shells.ts";

/** The command line, and what it ended with. */
export interface Program {
  readonly command: Command;
  /** The help of a command that only holds others, where the words name one and no other: that is what they ask for. */
  helpFor(words: readonly string[]): string | undefined;
  /** The same call with `--help` behind the command in place of `help` before it: `help db update` is `db update --help`. */
  withoutHelpWord(words: readonly string[]): string[];
  /** The command that words call, with the program's name; the group where they name none of its commands. */
  nameOf(words: readonly string[]): string;
  /** The exit code once the command has run. */
  code(): ExitCode;
}

/** Puts the command line together. Nothing is read or opened before a command runs. */
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
  serveCommand(program.command("serve")).action(async (flags: ServiceFlags) => {
    const { serve } = await import("../commands/serve.ts");
    code = await serve(io, flags);
  });
  collectCommand(program.command("collect-garbage")).action(async (flags: ServiceFlags & { dryRun?: true }) => {
    const { collect } = await import("../commands/collect-garbage.ts");
    const { dryRun = false, ...others } = flags;
    code = await collect(io, others, { dryRun });
  });
  addJobCommands(program, io, (ended) => {
    code = ended;
  });
  program
    .command("completion <shell>")
    .description(`print a completion script for ${shells.join(", ")}`)
    .addHelpText("after", helpBelow(wordsHelp))
    .action(async (shell: string) => {
      const { completion } = await import("../commands/completion.ts");
      completion(io, program, shell);
    });
  const groups = [program, ...program.commands.filter((each) => ["db", "jobs"].includes(each.name()))];
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

/** The command that the first of the words lead to, and those that are left. */
function commandAt(from: Command, words: readonly string[]): { readonly command: Command; readonly rest: string[] } {
  const [word, ...others] = words;
  const next = from.commands.find((each) => word !== undefined && [each.name(), ...each.aliases()].includes(word));
  return next === undefined ? { command: from, rest: [...words] } : commandAt(next, others);
}

function withoutHelpWord(program: Command, words: readonly string[]): string[] {
  const { command, rest } = commandAt(program, words);
  const [word, ...topic] = rest;
  if (word !== "help" || command.commands.length === 0) return [...words];
  const asked = commandAt(command, topic);
  const isUnknown = asked.rest.length > 0 && asked.command.commands.length > 0;
  const path = pathOf(asked.command).split(" ").filter(Boolean);
  return isUnknown ? [...path, ...asked.rest] : [...path, "--help"];
}

/** The words that name a command, without the program's. */
function pathOf(command: Command): string {
  return command.parent === null ? "" : `${pathOf(command.parent)} ${command.name()}`.trim();
}

interface OwnOptions extends ReportFlags {
  readonly package?: string;
  readonly feed?: readonly string[];
}

/** Lets a command act. What it needs is loaded then, so that help and wrong words are answered at once. */
type Run = (
  command: Command,
  act: (session: Session, words: readonly string[], options: OwnOptions) => Promise<ExitCode>,
) => void;

function addImageCommands(program: Command, run: Run): void {
  run(scanCommand(program.command("scan <source>").alias("image")), async (session, [source = ""]) => {
    const { scan } = await import("../commands/scan.ts");
    return scan(session, source);
  });
  run(indexCommand(program.command("index <source>")), async (session, [source = ""]) => {
    const { index } = await import("../commands/index.ts");
    return index(session, source);
  });
  run(reportCommand(program.command("report <reference>")), async (session, [reference = ""], options) => {
    const { report } = await import("../commands/report.ts");
    return report(session, reference, options);
  });
  run(explainCommand(program.command("explain <source> <vulnerability>")), async (session, words, options) => {
    const { explain } = await import("../commands/explain.ts");
    const [source = "", vulnerability = ""] = words;
    return explain(session, source, vulnerability, options.package);
  });
}

function scanCommand(command: Command): Command {
  const described = command
    .description("index an image, match it against advisories and report")
    .addHelpText("after", helpBelow(sourceHelp));
  return withGateFlags(withGlobalFlags(withImageFlags(described)));
}

function reportCommand(command: Command): Command {
  const described = command
    .description("show what a running plimsoll registry says of an image that it holds")
    .addHelpText("after", helpBelow(reportHelp));
  const asked = withAnswerFlags(withImageFlags(described))
    .option("--username <name>", "the user, where the configuration of docker or podman has none")
    .option("--password-stdin", "read the password from standard input")
    .option("--wait <seconds>", "how long to wait while the image is queued (by default 300)");
  return withGateFlags(asked);
}

function withGateFlags(command: Command): Command {
  return command
    .option("--fail-on <filter>", "end with exit code 1 on such findings: high+[,fixable]; unknown+ is all of them")
    .option("--allow-incomplete", "let --fail-on pass where not everything could be assessed, or by old data")
    .option("--max-db-age-days <days>", "from which age on advisory data are too old (by default 7)")
    .option("--show <filter>", "show only such findings: high+[,fixable]");
}

function indexCommand(command: Command): Command {
  return withGlobalFlags(
    withImageFlags(command.description("list what is in an image").addHelpText("after", helpBelow(sourceHelp))),
  );
}

function explainCommand(command: Command): Command {
  return withImageFlags(withGlobalFlags(command.description("say why a vulnerability applies to an image, or why not")))
    .option("--max-db-age-days <days>", "from which age on advisory data are too old (by default 7)")
    .option("--package <name>", "look only at packages (or sources) of this name")
    .addHelpText("after", helpBelow(sourceHelp));
}

function withImageFlags(command: Command): Command {
  return command
    .option("--platform <os/arch>", "which variant of a multi-platform image, or all")
    .option("-o, --output <format[=file]>", `${outputFormats.join(", ")}; repeatable`, collect)
    .option("-f, --format <format[=file]>", "the same as --output, as other scanners call it", collect);
}

function withGlobalFlags(command: Command): Command {
  const described = command
    .option("--db <file>", "the advisory database (by default in the user's cache folder)")
    .option("--offline", "never use the network");
  return withAnswerFlags(described);
}

function withAnswerFlags(command: Command): Command {
  return command
    .option("--strict", "incomplete results and missing or old advisory data fail the command")
    .option(
      "--config <file>",
      "a file of settings, JSON or YAML (by default plimsoll.yaml here or in the user's folder)",
    )
    .addOption(new Option("--color <when>", "colour the output").choices(colourModes))
    .option("-q, --quiet", "no warnings and no progress")
    .option("-v, --verbose", "say what is going on, line by line");
}

function addDatabaseCommands(program: Command, run: Run): void {
  const database = program.command("db").description("the advisory database");
  const commands = () => import("../commands/database.ts");
  const update = database.command("update").description("bring the advisories up to date");
  run(
    withGlobalFlags(update.addHelpText("after", helpBelow(updateHelp))).option(
      "--feed <name=path|url>",
      "update only this feed, from here; repeatable",
      collect,
    ),
    async (session, _words, { feed = [] }) => (await commands()).databaseUpdate(session, feed),
  );
  const status = database
    .command("status")
    .description("say what is loaded")
    .addHelpText("after", helpBelow(databaseHelp));
  run(withGlobalFlags(status), async (session) => (await commands()).databaseStatus(session));
  const exporting = database
    .command("export <file>")
    .description("write all advisories to a file")
    .addHelpText("after", helpBelow(databaseHelp));
  run(withGlobalFlags(exporting), async (session, [file = ""]) => (await commands()).databaseExport(session, file));
  const importing = database
    .command("import <file>")
    .description("read advisories that db export wrote")
    .addHelpText("after", helpBelow(databaseHelp));
  run(withGlobalFlags(importing), async (session, [file = ""]) => (await commands()).databaseImport(session, file));
}

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
      versionCompare(io, scheme, a, b);
    });
}

function serveCommand(command: Command): Command {
  return command
    .description("be a scanner service and a registry")
    .addHelpText("after", helpBelow(serveHelp))
    .option("--data <folder>", "where the service keeps what it knows (by default in the user's data folder)")
    .option(
      "--database <location>",
      "sqlite:PATH or postgres://USER@HOST/DATABASE (by default a file in the data folder)",
    )
    .option("--host <host>", "the address to listen on (by default 127.0.0.1)")
    .option("--port <port>", "the port of the API (by default 6060)")
    .option("--health-port <port>", "the port of /healthz, /readyz and /metrics (by default the next one)")
    .option("--mode <modes>", `what to be, comma-separated: ${serviceModes.join(", ")}; repeatable`, collect)
    .option("--indexer-address <url>", "where the indexer is, for a process that is none")
    .option("--matcher-address <url>", "where the matcher is, for a notifier in a process that is none")
    .option("--vendor <name>", "the vendor segment of media types and headers (by default scanner)")
    .addOption(new Option("--compatibility <profile>", "whom to please").choices(compatibilityProfiles))
    .option("--tls-certificate <file>", "certificate chain in PEM")
    .option("--tls-key <file>", "its key in PEM")
    .addOption(new Option("--log-level <level>", "how much to log").choices(logLevels))
    .option(
      "--config <file>",
      "a file of settings, JSON or YAML (by default plimsoll.yaml here or in the user's folder)",
    );
}

function collectCommand(command: Command): Command {
  return withStoreFlags(
    command
      .description("remove what nothing in the registry refers to, and say what, why and how many bytes")
      .addHelpText("after", helpBelow(collectHelp))
      .option("--dry-run", "only say it"),
  );
}

/** Says which database a command of an operator is about. */
function withStoreFlags(command: Command): Command {
  return command
    .option("--data <folder>", "where the service keeps what it knows (by default in the user's data folder)")
    .option(
      "--database <location>",
      "sqlite:PATH or postgres://USER@HOST/DATABASE (by default a file in the data folder)",
    )
    .option(
      "--config <file>",
      "a file of settings, JSON or YAML (by default plimsoll.yaml here or in the user's folder)",
    );
}

/** Commands of operators about the jobs of an installation. */
function addJobCommands(program: Command, io: CliIo, end: (code: ExitCode) => void): void {
  const jobs = program.command("jobs").description("the jobs of a service: what waits, runs and was given up");
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
          ...(json && { json }),
          ...(kind !== undefined && { kind }),
          ...(state !== undefined && { state }),
          ...(limit !== undefined && { limit }),
        }),
      ),
    );
  described(jobs.command("show <id>"), "show a job and its payload")
    .option("--json", "as JSON")
    .action(async (id: string, { json, ...flags }: ServiceFlags & ShowJobsFlags) =>
      end(await (await commands()).jobsShow(io, flags, { id, ...(json && { json }) })),
    );
  for (const [action, description] of [
    ["retry", "give dead jobs all their attempts again"],
    ["cancel", "remove jobs that wait, and stop those that run; a recurring job skips a turn"],
    ["delete", "remove dead jobs"],
  ] as const)
    described(jobs.command(`${action} <id...>`), description).action(async (ids: string[], flags: ServiceFlags) =>
      end(await (await commands()).jobsAct(io, flags, { action, ids })),
    );
}

function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

function globalFlags(command: Command): GlobalFlags {
  const { package: _package, feed: _feed, format = [], maxDbAgeDays, ...others } = command.opts();
  const { username: _username, passwordStdin: _stdin, wait: _wait, ...flags } = others;
  const output = [...(flags.output ?? []), ...format];
  return {
    ...flags,
    ...(output.length > 0 && { output }),
    ...(maxDbAgeDays !== undefined && settingsOfFlags({ maxDbAgeDays })),
  };
}

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
