import { allEcosystems, createEngine } from "@plimsoll/core";
import { feedNames } from "@plimsoll/matcher";
import { severities, versionSchemes } from "@plimsoll/scanner";
import { type Command, Option } from "commander";
import { type ExitCode, exitCodes, UsageError } from "../cli/exit-code.ts";
import type { CliIo } from "../cli/io.ts";
import { scanFormats } from "../cli/output-format.ts";
import { shells } from "../cli/shells.ts";
import { serviceModes } from "../config/service-modes.ts";
import { bashScript } from "./completion-bash.ts";
import { fishScript } from "./completion-fish.ts";
import type { FlagWords, Place, Values } from "./completion-values.ts";

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
