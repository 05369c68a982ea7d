import { allEcosystems, createEngine } from "@plimsoll/core";
import { feedNames } from "@plimsoll/matcher";
import { severities, versionSchemes } from "@plimsoll/scanner";
import { type Command, Option } from "commander";
import { type ExitCode, exitCodes, UsageError } from "../cli/exit-code.ts";
import type { CliIo } from "../cli/io.ts";
import { scanFormats } from "../cli/output-format.ts";
import { shells } from "../cli/shells.ts";
import { serviceModes } from "../config/service-modes.ts";

/** The known values of a flag or an argument. */
export interface Values {
  readonly words: readonly string[];
  /** `list`: one or more words, separated by commas. `key`: a word before `=`. */
  readonly kind: "word" | "list" | "key";
}

/** A command and the words that may follow it. */
export interface Place {
  /** The parent commands and the command, each in all its spellings; empty for the program itself. */
  readonly path: readonly (readonly string[])[];
  readonly commands: readonly string[];
  readonly flags: readonly FlagWords[];
  /** The known values of its arguments. */
  readonly values: readonly string[];
}

/** A flag in all its spellings. `values` is undefined for a flag without value, and has no words for a free value. */
export interface FlagWords {
  readonly spellings: readonly string[];
  readonly values: Values | undefined;
}

/** `plimsoll completion SHELL`: prints a script that completes commands, flags and values, generated from the command definitions. */
export function completion(io: CliIo, program: Command, shell: string): ExitCode {
  const feeds = feedNames(io.engine ?? createEngine({ ecosystems: allEcosystems }));
  io.stdout.write(`${scriptFor(shell, placesIn(program, usualValues(feeds)))}\n`);
  return exitCodes.ok;
}

type ValuesByName = Readonly<Record<string, Values>>;

/** Suggested values of flags and arguments that accept other values, too. */
function usualValues(feeds: readonly string[]): ValuesByName {
  const filters = [...severities.map((severity) => `${severity.toLowerCase()}+`), "exploited", "epss>0.5", "fixable"];
  return {
    "--fail-on": { words: filters, kind: "list" },
    "--feed": { words: feeds.map((name) => `${name}=`), kind: "key" },
    "--format": { words: scanFormats, kind: "word" },
    "--mode": { words: serviceModes, kind: "list" },
    "--output": { words: scanFormats, kind: "word" },
    "--platform": { words: ["linux/amd64", "linux/arm64", "all"], kind: "word" },
    "--show": { words: filters, kind: "list" },
    scheme: { words: Object.keys(versionSchemes), kind: "word" },
    shell: { words: shells, kind: "word" },
  };
}

function placesIn(command: Command, usual: ValuesByName, path: Place["path"] = []): readonly Place[] {
  const place = {
    path,
    commands: command.commands.flatMap(spellingsOf),
    flags: [...command.options, new Option("-h, --help")].map((option) => wordsOf(option, usual)),
    values: command.registeredArguments.flatMap((each) => usual[each.name()]?.words ?? []),
  };
  return [place, ...command.commands.flatMap((each) => placesIn(each, usual, [...path, spellingsOf(each)]))];
}

function spellingsOf(command: Command): string[] {
  return [command.name(), ...command.aliases()];
}

function wordsOf({ long, short, required, optional, argChoices = [] }: Option, usual: ValuesByName): FlagWords {
  const spellings = [long, short].filter((spelling) => spelling != null);
  const values = usual[long ?? ""] ?? ({ words: argChoices, kind: "word" } as const);
  return { spellings, values: required || optional ? values : undefined };
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

/**
 * The completion script for bash. For a flag with a free value, and after the last known word, the shell completes files. The script
 * first joins the words that bash splits at `=` and `:`.
 */
export function bashScript(places: readonly Place[]): string {
  const flags = new Map(
    places.flatMap((place) =>
      place.flags.flatMap((flag) => flag.spellings.map((each) => [each, flag.values] as const)),
    ),
  );
  const valued = [...flags].flatMap(([flag, values]) => (values === undefined ? [] : [[flag, values] as const]));
  const paths = places.flatMap((place) => (place.path.length === 0 ? [] : [patternOf(place)]));
  return [
    "_plimsoll() {",
    '  local path="" words="" kind="" word="" current="" takes="" glued="" prefix="" broken="" at=0',
    "  for ((at = 1; at <= COMP_CWORD; at++)); do",
    '    word="${COMP_WORDS[at]}"',
    '    case "$word" in =* | :*) current="$current$word" glued=yes; continue ;; esac',
    '    if [ -n "$glued" ]; then current="$current$word" glued=""; continue; fi',
    '    if [ "$at" -gt 1 ]; then',
    '      if [ -n "$takes" ]; then takes=""; else',
    '        case "$current" in',
    `          ${valued.map(([flag]) => flag).join("|")}) takes="$current" ;;`,
    "          -*) ;;",
    `          *) case "\${path:+$path }$current" in ${paths.join("|")}) path="\${path:+$path }$current" ;; esac ;;`,
    "        esac",
    "      fi",
    "    fi",
    '    current="$word"',
    "  done",
    '  word="${COMP_WORDS[COMP_CWORD]}"',
    '  case "$word" in =* | :*) broken="$current" ;; *) broken="${current%"$word"}" ;; esac',
    '  if [ -z "$takes" ]; then',
    '    case "$current" in --*=*) takes="${current%%=*}"; prefix="$takes=" ;; esac',
    "  fi",
    '  if [ -n "$takes" ]; then',
    '    case "$takes" in',
    ...valued
      .filter(([, { words }]) => words.length > 0)
      .map(([flag, values]) => `      ${flag}) ${wordsAssignment(values)} ;;`),
    "    esac",
    '    case "$kind,${current#"$prefix"}" in',
    '      list,*,*) prefix="${current%,*}," ;;',
    '      key,*=*) words="" ;;',
    "    esac",
    "  else",
    '    case "$path" in',
    ...places.map((place) => `      ${patternOf(place)}) words="${wordsBehind(place).join(" ")}" ;;`),
    "    esac",
    "  fi",
    '  COMPREPLY=($(compgen -P "$prefix" -W "$words" -- "${current#"$prefix"}"))',
    '  COMPREPLY=("${COMPREPLY[@]#"$broken"}")',
    '  if [ "$kind" = key ] && [ "${#COMPREPLY[@]}" -gt 0 ]; then compopt -o nospace 2>/dev/null; fi',
    "}",
    "complete -o default -F _plimsoll plimsoll",
  ].join("\n");
}

/** A shell pattern for all spellings of a command's path. */
function patternOf({ path }: Place): string {
  const start: readonly string[] = [""];
  const ways = path.reduce((before, names) => before.flatMap((each) => names.map((name) => `${each} ${name}`)), start);
  return ways.map((way) => `"${way.trim()}"`).join("|");
}

function wordsAssignment({ words, kind }: Values): string {
  return `words="${words.join(" ")}" kind=${kind}`;
}

function wordsBehind({ commands, flags, values }: Place): readonly string[] {
  return [...commands, ...values, ...flags.flatMap(({ spellings }) => spellings)].sort();
}

/** The completion script for fish. */
export function fishScript(places: readonly Place[]): string {
  return places.flatMap((place) => [...fishLines(place)]).join("\n");
}

function* fishLines({ path, commands, flags, values }: Place): Iterable<string> {
  const isHere =
    path.length === 0
      ? "__fish_use_subcommand"
      : path.map((names) => `__fish_seen_subcommand_from ${names.join(" ")}`).join("; and ");
  const complete = `complete -c plimsoll -n '${isHere}'`;
  const choices = [...commands, ...values];
  if (choices.length > 0) yield `${complete} -f -a '${choices.join(" ")}'`;
  for (const { spellings, values: accepted } of flags) {
    const names = spellings.map((each) => (each.startsWith("--") ? `-l ${each.slice(2)}` : `-s ${each.slice(1)}`));
    yield `${complete} ${names.join(" ")}${accepted === undefined ? "" : valueOption(accepted)}`;
  }
}

/** After a key, and for a free value, the shell completes files. */
function valueOption({ words, kind }: Values): string {
  if (words.length === 0) return " -r";
  if (kind === "key") return ` -r -a '${words.join(" ")}'`;
  return kind === "list"
    ? ` -x -a '(__fish_complete_list , "string split , ${words.join(",")}")'`
    : ` -x -a '${words.join(" ")}'`;
}
