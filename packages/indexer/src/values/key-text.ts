import type { MatchKey } from "@plimsoll/core";

/** A key as one text, for maps. */
export function keyText({ ecosystem, name }: MatchKey): string {
  return `${ecosystem}\n${name}`;
}
