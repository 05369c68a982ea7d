import type { Place, Values } from "./completion-values.ts";

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
