import type { Command } from "commander";

/** The command that the first of the words lead to, and those that are left. */
export function commandAt(
  from: Command,
  words: readonly string[],
): { readonly command: Command; readonly rest: string[] } {
  const [word, ...others] = words;
  const next = from.commands.find((each) => word !== undefined && [each.name(), ...each.aliases()].includes(word));
  return next === undefined ? { command: from, rest: [...words] } : commandAt(next, others);
}

/** The same call with `--help` behind the command in place of `help` before it. */
export function withoutHelpWord(program: Command, words: readonly string[]): string[] {
  const { command, rest } = commandAt(program, words);
  const [word, ...topic] = rest;
  if (word !== "help" || command.commands.length === 0) return [...words];
  const asked = commandAt(command, topic);
  const isUnknown = asked.rest.length > 0 && asked.command.commands.length > 0;
  const path = pathOf(asked.command).split(" ").filter(Boolean);
  return isUnknown ? [...path, ...asked.rest] : [...path, "--help"];
}

/** The words that name a command, without the program's. */
export function pathOf(command: Command): string {
  return command.parent === null ? "" : `${pathOf(command.parent)} ${command.name()}`.trim();
}
