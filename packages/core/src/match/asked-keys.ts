import type { IndexRecord, Matcher, MatchKey } from "../plugins/matcher.ts";
import { firstOfKeys } from "./first-of-keys.ts";
import { keysOfRecord } from "./match-records.ts";

/** The keys by which advisories are looked up for an image. */
export interface AskedKeys {
  readonly keys: readonly MatchKey[];
  /** Those that a feed must cover, sorted. */
  readonly ecosystems: readonly string[];
}

/**
 * The keys by which advisories are looked up for some records, each key once. A matcher that throws is noted as a problem when it judges.
 * @example
 * declare const report: IndexReport;
 * const { matchers } = createEngine({ ecosystems: allEcosystems });
 * const { ecosystems } = askedKeys(matchers, indexRecords(report)); // "debian:12", "npm" and others
 */
export function askedKeys(matchers: readonly Matcher[], records: readonly IndexRecord[]): AskedKeys {
  const asking = startAsking(matchers);
  asking.add(records);
  return asking.asked();
}

/** {@link askedKeys} slice by slice. */
export interface Asking {
  add(records: readonly IndexRecord[]): void;
  /** By all that were added. */
  asked(): AskedKeys;
}

/** Begins with no record. */
export function startAsking(matchers: readonly Matcher[]): Asking {
  const keys: MatchKey[] = [];
  const isFirst = firstOfKeys();
  const ecosystems = new Set<string>();
  const ask = (matcher: Matcher, record: IndexRecord): void => {
    const found = keysOfRecord(matcher, record, []);
    for (const key of found) if (isFirst(key)) keys.push(key);
    if (found[0] !== undefined) ecosystems.add(found[0].ecosystem);
  };
  return {
    add(records) {
      for (const matcher of matchers) for (const record of records) ask(matcher, record);
    },
    asked: () => ({ keys: [...keys], ecosystems: [...ecosystems].sort() }),
  };
}
