import type { IndexRecord, Matcher, MatchKey } from "../plugins/matcher.ts";
import { keysOfRecord } from "./match-records.ts";

/** The keys by which advisories are looked up for an image. */
export interface LookupKeys {
  readonly keys: readonly MatchKey[];
  /** The ecosystems that a feed must cover, sorted. */
  readonly ecosystems: readonly string[];
}

/**
 * The keys by which advisories are looked up for some records, each key once. A matcher that throws has no keys; it becomes a problem when it judges.
 * @example
 * declare const report: IndexReport;
 * const { matchers } = createEngine({ ecosystems: allEcosystems });
 * const { ecosystems } = lookupKeys(matchers, indexRecords(report)); // "debian:12", "npm" and others
 */
export function lookupKeys(matchers: readonly Matcher[], records: readonly IndexRecord[]): LookupKeys {
  const collector = createKeyCollector(matchers);
  collector.add(records);
  return collector.collected();
}

/** {@link lookupKeys} in several steps. */
export interface KeyCollector {
  add(records: readonly IndexRecord[]): void;
  /** The keys of all records added so far. */
  collected(): LookupKeys;
}

/** Makes a collector without records. */
export function createKeyCollector(matchers: readonly Matcher[]): KeyCollector {
  const keys: MatchKey[] = [];
  const isFirst = firstOfKeys();
  const ecosystems = new Set<string>();
  const addKeys = (matcher: Matcher, record: IndexRecord): void => {
    const found = keysOfRecord(matcher, record, []);
    for (const key of found) if (isFirst(key)) keys.push(key);
    if (found[0] !== undefined) ecosystems.add(found[0].ecosystem);
  };
  return {
    add(records) {
      for (const matcher of matchers) for (const record of records) addKeys(matcher, record);
    },
    collected: () => ({ keys: [...keys], ecosystems: [...ecosystems].sort() }),
  };
}

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
