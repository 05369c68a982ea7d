import { safeText } from "@plimsoll/core/internal/safe-text";
import { type Command, Option } from "commander";
import { meaningOf, type SettingName, settingNamed } from "../../config/all-settings.ts";
import { flagName, settingsOfFlags } from "../../config/settings.ts";
import { colourModes } from "../../render/colour.ts";
import { UsageError } from "../exit-code.ts";
import { joinOutputs } from "../output-format.ts";
import type { GlobalFlags } from "../session.ts";

/** Adds the flags that decide whether a pipeline continues. */
export function withGateFlags(command: Command): Command {
  return withVexFlag(command)
    .option(
      "--fail-on <filter>",
      "exit with 1 if there are such findings: of a severity, exploited or with such an EPSS score (high,exploited,epss>0.5), and with fixable only those that have a fix; a single severity means also those above, of several (high,low) each means itself; unknown is all of them",
      once("--fail-on"),
    )
    .option("--allow-incomplete", "let gates pass if something is not assessed or undecided, or the data are old")
    .option("--max-db-age-days <days>", "the age from which advisory data are too old (by default 7)")
    .option("--show <filter>", "show only such findings, in the form of --fail-on", once("--show"));
}

/** Adds the flag for VEX documents. */
export function withVexFlag(command: Command): Command {
  const meaning = "statements that suppress findings: OpenVEX, CSAF 2.0 or CycloneDX; repeatable";
  return command.option("--vex <file>", meaning, collect);
}

/** Adds the flags for suppression without VEX files: attached documents, and the rule for kernel packages. */
export function withStatementFlags(command: Command): Command {
  return command
    .option("--attached-vex", "apply VEX documents that are attached to the image in its registry, too")
    .option("--kernel-findings", "do not suppress findings in kernel packages");
}

/** Adds the flag for advisories of an earlier date. */
export function withAsOfFlag(command: Command): Command {
  return command.option("--as-of <date>", "use the advisories of the end of that day (UTC), or of a time");
}

/** Adds the flag for signed documents. */
export function withAttestFlag(command: Command): Command {
  const meaning =
    "write in-toto attestations, signed with this private key (PEM: ECDSA P-256 or Ed25519; or of cosign, with COSIGN_PASSWORD)";
  return command.option("--attest <key>", meaning);
}

/** Adds the flags of commands about one image. */
export function withImageFlags(command: Command, formats: readonly string[]): Command {
  return withOutputFlags(
    command.option("--platform <os/arch>", "which variant of a multi-platform image, or all"),
    formats,
  );
}

/** Adds the flags for the place and the format of results. */
export function withOutputFlags(command: Command, formats: readonly string[]): Command {
  return command
    .option(
      "-o, --output <format[=file]>",
      `${formats.join(", ")}; or a file whose ending is that of a format; repeatable`,
      collect,
    )
    .option("-f, --format <format[=file]>", "the same as --output, for users of other scanners", collect);
}

/** Adds the flags of commands that use the advisory database. */
export function withGlobalFlags(command: Command): Command {
  const described = command
    .option("--db <file>", "the advisory database (by default in the user's cache folder)")
    .option("--offline", "never use the network");
  return withAnswerFlags(described);
}

/** Adds the flag for the index of Java archives. */
export function withJavaIndexFlag(command: Command): Command {
  return command.option("--java-index <file>", "the index of published Java archives (by default beside the database)");
}

/** Adds the flags of commands that print a result. */
export function withAnswerFlags(command: Command): Command {
  return command
    .option("--strict", "fail if results are incomplete, or advisory data are missing or old")
    .option(...configFlag)
    .addOption(new Option("--color <when>", "colour the output").choices(colourModes))
    .option("-q, --quiet", "no warnings and no progress, only why the command fails")
    .option("-v, --verbose", "print each step");
}

/** Adds the flags for the credentials of a registry. */
export function withLoginFlags(command: Command): Command {
  return command
    .option("--username <name>", "the user, if the configuration of docker or podman has none")
    .option("--password-stdin", "read the password from standard input");
}

/** Adds the flags for the database of a service. */
export function withStoreFlags(command: Command): Command {
  for (const name of ["data", "database"] as const) {
    const flag = settingFlag(name);
    if (flag !== undefined) command.addOption(flag);
  }
  return command.option(...configFlag);
}

/** The flag of a setting, as the setting declares it; undefined if it has none. */
export function settingFlag(name: SettingName): Option | undefined {
  const { flag, kind } = settingNamed(name);
  if (flag === undefined) return undefined;
  const [value, meaning] = flag;
  const { words = [], isList = false } = kind;
  const several = isList ? `: ${words.join(", ")}; repeatable` : "";
  const option = new Option(`${flagName(name)} ${value}`, `${meaning}${several}${usualOf(name)}`);
  if (isList) return option.argParser(collect);
  return words.length > 0 ? option.choices(words) : option;
}

/** The default of a setting in a line of help; nothing if it has none. */
function usualOf(name: SettingName): string {
  const usual = meaningOf(name).default.replaceAll(/[`"]/g, "");
  return usual.startsWith("none") ? "" : ` (by default ${usual})`;
}

/** The flag for the configuration file. */
export const configFlag = [
  "--config <file>",
  "a file of settings, JSON or YAML (by default plimsoll.yaml here or in the user's folder)",
] as const;

/** Collects the values of a repeatable flag. */
export function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

/** Refuses a filter that is given twice: one of them would select nothing. */
function once(flag: string) {
  return (value: string, earlier?: string): string => {
    if (earlier === undefined) return value;
    throw new UsageError(
      `${flag} is given twice, as ${safeText(earlier)} and ${safeText(value)}: one filter has all terms, with commas between them, such as critical,epss>0.5`,
    );
  };
}

/** The given flags without those of single commands. */
export function globalFlags(command: Command): GlobalFlags {
  const { package: _package, feed: _feed, format = [], maxDbAgeDays, ...others } = command.opts();
  const { username: _username, passwordStdin: _stdin, wait: _wait, from: _from, asOf: _asOf, ...shared } = others;
  const { outputFile: _outputFile, denyLicense: _denied, allowLicense: _allowed, ...rest } = shared;
  const {
    sbomAuthor: _author,
    sbomSupplier: _supplier,
    files: _files,
    attest: _attest,
    attach: _attach,
    ...flags
  } = rest;
  const output = joinOutputs(flags.output ?? [], format);
  return {
    ...flags,
    ...(output.length > 0 && { output }),
    ...(maxDbAgeDays !== undefined && settingsOfFlags({ maxDbAgeDays })),
  };
}
