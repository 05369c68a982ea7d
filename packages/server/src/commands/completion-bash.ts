import type { Place, Values } from "./completion-values.ts";

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
