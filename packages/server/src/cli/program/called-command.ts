import type { Command } from "commander";

/** The command that the first words name, and the remaining words. */
export function commandAt(
  from: Command,
  words: readonly string[],
): { readonly command: Command; readonly rest: string[] } {
  const [word, ...others] = words;
  const next = from.commands.find((each) => word !== undefined && [each.name(), ...each.aliases()].includes(word));
  return next === undefined ? { command: from, rest: [...words] } : commandAt(next, others);
}

/** Replaces `help` before a command by `--help` after it. */
export function withoutHelpWord(program: Command, words: readonly string[]): string[] {
  const { command, rest } = commandAt(program, words);
  const [word, ...topic] = rest;
  if (word !== "help" || command.commands.length === 0) return [...words];
  const named = commandAt(command, topic);
  const isUnknown = named.rest.length > 0 && named.command.commands.length > 0;
  const path = pathOf(named.command).split(" ").filter(Boolean);
  return isUnknown ? [...path, ...named.rest] : [...path, "--help"];
}

/** The full name of a command, without the program's name. */
export function pathOf(command: Command): string {
  return command.parent === null ? "" : `${pathOf(command.parent)} ${command.name()}`.trim();
}
