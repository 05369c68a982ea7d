import type { MatchKey } from "../plugins/matcher.ts";

/**
 * Whether a key is asked about for the first time. Sets of names are cheaper than texts that join both parts of a key.
 * @example
 * const isFirst = firstOfKeys();
 * isFirst({ ecosystem: "debian:12", name: "zlib" }); // true
 * isFirst({ ecosystem: "debian:12", name: "zlib" }); // false
 */
export function firstOfKeys(): (key: MatchKey) => boolean {
  const seen = new Map<string, Set<string>>();
  return ({ ecosystem, name }) => {
    const names = seen.get(ecosystem) ?? new Set();
    if (names.size === 0) seen.set(ecosystem, names);
    return names.size < names.add(name).size;
  };
}
