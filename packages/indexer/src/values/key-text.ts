import type { MatchKey } from "@plimsoll/core";

/** A key as one string, for maps. */
export function keyText({ ecosystem, name }: MatchKey): string {
  return `${ecosystem}\n${name}`;
}
