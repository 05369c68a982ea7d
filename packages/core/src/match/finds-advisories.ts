import { atOnce } from "../model/at-once.ts";
import type { IndexRecord, Matcher } from "../plugins/matcher.ts";
import { keysOfRecord } from "./match-records.ts";
import { isUnstated } from "./missing-facts.ts";
import { ownerOf } from "./owners.ts";

/**
 * Whether the facts about a package are known by which its advisories are found. Without them no advisory leads to the package, although some may be
 * about it. A matcher that throws finds none.
 * @example
 * declare const report: IndexReport;
 * const { matchers } = createEngine({ ecosystems: allEcosystems });
 * const unknown = indexRecords(report).filter((record) => !findsAdvisories(matchers, record));
 */
export function findsAdvisories(matchers: readonly Matcher[], record: IndexRecord): boolean {
  if (isUnstated(record, "group") || matchers.some((matcher) => lacksFacts(matcher, record))) return false;
  const isJudgedElsewhere = ownerOf(record) !== undefined || record.sameSoftware !== undefined;
  return isJudgedElsewhere || matchers.some((matcher) => keysOfRecord(matcher, record, []).length > 0);
}

function lacksFacts(matcher: Matcher, record: IndexRecord): boolean {
  try {
    const facts = atOnce(matcher.missingFacts?.(record), `missingFacts of ${matcher.name}`) ?? [];
    return facts.some((fact) => fact !== "maker"); // who made it decides only whether they apply
  } catch {
    return true;
  }
}
