import type { MatchKey } from "../plugins/matcher.ts";

/**
 * A test whether a key is seen for the first time. A set of names per ecosystem is cheaper than joining both parts of a key to one text.
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
