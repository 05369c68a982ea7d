import { severities, versionSchemes } from "@plimsoll/scanner";
import { type Command, Option } from "commander";
import { type ExitCode, exitCodes, UsageError } from "../cli/exit-code.ts";
import type { CliIo } from "../cli/io.ts";
import { outputFormats } from "../cli/output-format.ts";
import { shells } from "../cli/shells.ts";
import { serviceModes } from "../config/service-modes.ts";

const filters = [...severities.map((severity) => `${severity.toLowerCase()}+`), "fixable"];

/** What flags and arguments may be that take other words, too. */
const usualValues: Readonly<Record<string, readonly string[]>> = {
  "--fail-on": filters,
  "--mode": serviceModes,
  "--output": outputFormats,
  "--platform": ["linux/amd64", "linux/arm64", "all"],
  "--show": filters,
  scheme: Object.keys(versionSchemes),
  shell: shells,
};

/** `plimsoll completion SHELL`: prints a script that completes commands, flags and values, made from the commands themselves. */
export function completion(io: CliIo, program: Command, shell: string): ExitCode {
  io.stdout.write(`${scriptFor(shell, placesIn(program))}\n`);
  return exitCodes.ok;
}

/** A command and what may stand behind it. */
interface Place {
  /** The commands before, and its own name; nothing for the program. */
  readonly path: string;
  readonly commands: readonly string[];
  readonly flags: readonly FlagWords[];
  /** Values that an argument may have. */
  readonly values: readonly string[];
}

/** A flag in all its spellings, with the values that it may have; undefined where it takes none, none where they are free. */
interface FlagWords {
  readonly spellings: readonly string[];
  readonly values: readonly string[] | undefined;
}

function placesIn(command: Command, path = ""): readonly Place[] {
  const place = {
    path,
    commands: command.commands.map((each) => each.name()),
    flags: [...command.options, new Option("-h, --help")].filter(({ hidden }) => !hidden).map(wordsOf),
    values: command.registeredArguments.flatMap((each) => usualValues[each.name()] ?? []),
  };
  return [place, ...command.commands.flatMap((each) => placesIn(each, `${path} ${each.name()}`.trim()))];
}

function wordsOf({ long, short, required, optional, argChoices = [] }: Option): FlagWords {
  const spellings = [long, short].filter((spelling) => spelling != null);
  return { spellings, values: required || optional ? (usualValues[long ?? ""] ?? argChoices) : undefined };
}

function scriptFor(shell: string, places: readonly Place[]): string {
  switch (shell) {
    case "bash":
      return bashScript(places);
    case "zsh":
      return `#compdef plimsoll\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(places)}`;
    case "fish":
      return fishScript(places);
    default:
      throw new UsageError(`"${shell}" has no completion; the shells are ${shells.join(", ")}`);
  }
}

/** Where a flag wants a free value, and behind the last word that is known, the shell completes files. */
function bashScript(places: readonly Place[]): string {
  const flags = new Map(
    places.flatMap((place) =>
      place.flags.flatMap((flag) => flag.spellings.map((each) => [each, flag.values] as const)),
    ),
  );
  const valued = [...flags].flatMap(([flag, values]) => (values === undefined ? [] : [[flag, values] as const]));
  const paths = places.filter(({ path }) => path !== "").map(({ path }) => `"${path}"`);
  return [
    "_plimsoll() {",
    '  local path="" word words="" previous="${COMP_WORDS[COMP_CWORD-1]}" takes=""',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    `    if [ -n "$takes" ]; then takes=""; continue; fi`,
    `    case "$word" in ${valued.map(([flag]) => flag).join("|")}) takes=yes; continue ;; -*) continue ;; esac`,
    `    case "\${path:+$path }$word" in ${paths.join("|")}) path="\${path:+$path }$word" ;; esac`,
    "  done",
    '  if [ -n "$takes" ]; then',
    '    case "$previous" in',
    ...valued
      .filter(([, values]) => values.length > 0)
      .map(([flag, values]) => `      ${flag}) words="${values.join(" ")}" ;;`),
    "    esac",
    "  else",
    '    case "$path" in',
    ...places.map((place) => `      "${place.path}") words="${wordsBehind(place).join(" ")}" ;;`),
    "    esac",
    "  fi",
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    "}",
    "complete -o default -F _plimsoll plimsoll",
  ].join("\n");
}

function wordsBehind({ commands, flags, values }: Place): readonly string[] {
  return [...commands, ...values, ...flags.flatMap(({ spellings }) => spellings)].sort();
}

function fishScript(places: readonly Place[]): string {
  return places.flatMap((place) => [...fishLines(place)]).join("\n");
}

function* fishLines({ path, commands, flags, values }: Place): Iterable<string> {
  const words = path.split(" ").filter((word) => word !== "");
  const isHere =
    words.length === 0
      ? "__fish_use_subcommand"
      : words.map((word) => `__fish_seen_subcommand_from ${word}`).join("; and ");
  const complete = `complete -c plimsoll -n '${isHere}'`;
  const choices = [...commands, ...values];
  if (choices.length > 0) yield `${complete} -f -a '${choices.join(" ")}'`;
  for (const { spellings, values: taken } of flags) {
    const names = spellings.map((each) => (each.startsWith("--") ? `-l ${each.slice(2)}` : `-s ${each.slice(1)}`));
    const taking = taken === undefined ? "" : taken.length === 0 ? " -r" : ` -x -a '${taken.join(" ")}'`;
    yield `${complete} ${names.join(" ")}${taking}`;
  }
}
