import type { MatchKey } from "@plimsoll/core/match";

/** A key as one string, for maps. */
export function keyText({ ecosystem, name }: MatchKey): string {
  return `${ecosystem}\n${name}`;
}
