import { lookupName, type MatchKey, type VulnerabilitySummary } from "@plimsoll/core/internal";
import { type AdvisoryRule, type IndexRecord, matchRecords } from "@plimsoll/core/match";
import type { Matcher } from "@plimsoll/core/plugins";
import type { StoredRecord } from "./store/reverse-index.ts";
import { keyText } from "./values/index-record.ts";
import { keysOf } from "./values/indexed-records.ts";

/** A summary with its id in the response. */
export interface NamedSummary extends VulnerabilitySummary {
  readonly id: string;
}

/** The rules of summaries, prepared for judging records. */
export interface SummaryRules {
  /** The keys under which the records to judge are found. */
  readonly keys: readonly MatchKey[];
  /** The ids of the summaries that apply to each record; records without any are left out. */
  judge(records: readonly StoredRecord[]): ReadonlyMap<number, ReadonlySet<string>>;
}

/**
 * Prepares the rules of summaries. Those of a group are judged together, as in a report: a vendor's statement overrules
 * others, and a vulnerability is found once. Each of the others is judged alone.
 */
export function rulesOf(matchers: readonly Matcher[], summaries: readonly NamedSummary[]): SummaryRules {
  const rules = summaries.map((summary) => ({ group: summary.group, rules: statementsOf(matchers, summary) }));
  const groups = Map.groupBy(rules, ({ group }) => group);
  const alone = byKeyText((groups.get(undefined) ?? []).flatMap((one) => one.rules));
  groups.delete(undefined);
  const settled = [...groups.values()].map((group) => group.flatMap((one) => one.rules));
  return {
    keys: keysOfRules(rules.flatMap((one) => one.rules)),
    judge(records) {
      const found = new Map<number, Set<string>>();
      const add = (record: number, id: string) => found.set(record, (found.get(record) ?? new Set()).add(id));
      for (const { id, record } of records) for (const rule of affecting(matchers, record, alone)) add(id, rule.id);
      const ids = new Map(records.map(({ id, record }) => [record, id]));
      for (const group of settled) {
        const { affected } = matchRecords(matchers, { records: [...ids.keys()], advisories: group });
        for (const { record, advisory } of affected) add(ids.get(record) ?? 0, advisory.id);
      }
      return found;
    },
  };
}

/** The rules of one summary. If it only describes a release, the matchers give the ecosystems for its package. */
function statementsOf(matchers: readonly Matcher[], { id, statements, origin }: NamedSummary): readonly AdvisoryRule[] {
  return statements.flatMap((statement) => {
    const ecosystems =
      origin.kind === "ecosystem" ? [origin.ecosystem] : ecosystemsOf(matchers, placeOf(origin), statement.packageName);
    return ecosystems.map((ecosystem) => ({ ...statement, id, ecosystem }));
  });
}

type Described = Extract<VulnerabilitySummary["origin"], { readonly kind: "described" }>;

function placeOf({ distribution, repository }: Described): PackagePlace {
  return { distribution, repositories: repository === undefined ? [] : [repository] };
}

/** The origin of a package. */
export type PackagePlace = Pick<IndexRecord, "distribution" | "repositories">;

/** The ecosystems under which advisories for a package of an origin are found. */
export function ecosystemsOf(
  matchers: readonly Matcher[],
  place: PackagePlace,
  packageName: string,
): readonly string[] {
  const found = { id: "", name: packageName, version: "", kind: "BINARY" } as const;
  const record: IndexRecord = { ...place, package: found, packageDb: "" };
  return [...new Set(matchers.flatMap((matcher) => keysOf(matcher, record)).map(({ ecosystem }) => ecosystem))];
}

type RulesByKey = ReadonlyMap<string, readonly AdvisoryRule[]>;

function byKeyText(rules: readonly AdvisoryRule[]): RulesByKey {
  return Map.groupBy(rules, (rule) => keyText(keyOfRule(rule)));
}

function keyOfRule({ ecosystem, packageName }: AdvisoryRule): MatchKey {
  return { ecosystem, name: lookupName(ecosystem, packageName) };
}

function keysOfRules(rules: readonly AdvisoryRule[]): readonly MatchKey[] {
  const keys = rules.map(keyOfRule);
  return [...new Map(keys.map((key) => [keyText(key), key])).values()];
}

function affecting(matchers: readonly Matcher[], record: IndexRecord, rules: RulesByKey): readonly AdvisoryRule[] {
  return matchers.flatMap((matcher) => {
    const candidates = keysOf(matcher, record).flatMap((key) => rules.get(keyText(key)) ?? []);
    return candidates.filter((rule) => isAffected(matcher, record, rule));
  });
}

/** Whether a rule applies. A matcher that throws leaves the pair undecided, as in a report, which then lists no vulnerability. */
function isAffected(matcher: Matcher, record: IndexRecord, rule: AdvisoryRule): boolean {
  try {
    return matcher.judge(record, rule).kind === "affected";
  } catch {
    return false;
  }
}
