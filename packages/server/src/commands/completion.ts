import type { Command } from "commander";
import { type ExitCode, exitCodes, UsageError } from "../cli/exit-code.ts";
import type { CliIo } from "../cli/io.ts";

/** The shells that a completion script can be printed for. */
export const shells = ["bash", "zsh", "fish"] as const;

/** `plimsoll completion SHELL`: prints a script that completes commands and flags, made from the commands themselves. */
export function completion(io: CliIo, program: Command, shell: string): ExitCode {
  const words = completionWords(program);
  io.stdout.write(`${scriptFor(shell, words)}\n`);
  return exitCodes.ok;
}

/** What may follow each command; the key of the program itself is the empty text. */
type CompletionWords = ReadonlyMap<string, readonly string[]>;

function completionWords(program: Command, path = ""): CompletionWords {
  const flags = program.options.flatMap((option) => [option.long, option.short].filter((flag) => flag != null));
  const next: readonly string[] = [...program.commands.map((command) => command.name()), ...flags].sort();
  const words = new Map<string, readonly string[]>([[path, next]]);
  for (const command of program.commands) {
    for (const [key, value] of completionWords(command, `${path} ${command.name()}`.trim())) words.set(key, value);
  }
  return words;
}

function scriptFor(shell: string, words: CompletionWords): string {
  switch (shell) {
    case "bash":
      return bashScript(words);
    case "zsh":
      return `#compdef plimsoll\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(words)}`;
    case "fish":
      return fishScript(words);
    default:
      throw new UsageError(`"${shell}" has no completion; the shells are ${shells.join(", ")}`);
  }
}

function bashScript(words: CompletionWords): string {
  const cases = [...words].map(([path, next]) => `    "${path}") words="${next.join(" ")}" ;;`);
  return [
    "_plimsoll() {",
    '  local path="" word words=""',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    '    case "$word" in -*) ;; *) path="${path:+$path }$word" ;; esac',
    "  done",
    '  case "$path" in',
    ...cases,
    "  esac",
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    "}",
    "complete -o default -F _plimsoll plimsoll",
  ].join("\n");
}

function fishScript(words: CompletionWords): string {
  return [...words]
    .filter(([, next]) => next.length > 0)
    .map(([path, next]) => {
      const seen = path === "" ? "__fish_use_subcommand" : `__fish_seen_subcommand_from ${path.split(" ").at(-1)}`;
      return `complete -c plimsoll -n '${seen}' -a '${next.join(" ")}'`;
    })
    .join("\n");
}
