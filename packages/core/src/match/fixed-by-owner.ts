import { distributionPackageKey } from "../model/package.ts";
import type { IndexRecord } from "../plugins.ts";
import type { AffectedVerdict, Judgement, NotAffectedVerdict } from "./judgement.ts";
import { addNames, isCovered, namesOf } from "./vulnerability-names.ts";

/** Findings apart from those that the distribution has dealt with. */
export interface OwnerSettlement {
  readonly affected: readonly Judgement<AffectedVerdict>[];
  readonly notAffected: readonly Judgement<NotAffectedVerdict>[];
}

/**
 * Takes out of the findings of languages' packages what the distribution has fixed in the packages that own their files: a fix
 * that is taken back to an older version leaves the version that the language tells as it was.
 * @param judge gives the verdicts on a package
 */
export function settleByOwners(
  affected: readonly Judgement<AffectedVerdict>[],
  records: Iterable<IndexRecord>,
  judge: (record: IndexRecord) => readonly Judgement[],
): OwnerSettlement {
  const owned = affected.filter(({ record }) => ownerOf(record) !== undefined);
  if (owned.length === 0) return { affected, notAffected: [] };
  const owners = new Set(owned.map(({ record }) => ownerOf(record)));
  const settledNames = new Map<string, Set<string>>();
  for (const record of records) {
    const { name } = record.package;
    if (!owners.has(name) || record.distribution === undefined || ownerOf(record) !== undefined) continue;
    const names = settledNames.get(name) ?? new Set();
    settledNames.set(name, names);
    for (const { verdict, advisory } of judge(record)) {
      if (verdict.kind === "not-affected" && saysSo.has(verdict.reason)) addNames(namesOf(advisory), names);
    }
  }
  const isSettled = ({ record, advisory }: Judgement) => {
    const names = settledNames.get(ownerOf(record) ?? "");
    return names !== undefined && isCovered(namesOf(advisory), names);
  };
  return {
    affected: affected.filter((judgement) => !isSettled(judgement)),
    notAffected: owned.filter(isSettled).map(settled),
  };
}

/** Reasons by which an advisory of the distribution deals with a vulnerability, other than that it speaks of something else. */
const saysSo: ReadonlySet<string> = new Set(["fixed", "vendor-statement"]);

function ownerOf({ repositories }: IndexRecord): string | undefined {
  return repositories.find(({ key }) => key === distributionPackageKey)?.name;
}

function settled(judgement: Judgement): Judgement<NotAffectedVerdict> {
  const { record, steps } = judgement;
  const detail = `the distribution has dealt with it in its package ${ownerOf(record)}, which owns the file`;
  const verdict = { kind: "not-affected", reason: "distribution-package" } as const;
  return { ...judgement, verdict, steps: steps.length === 0 ? steps : [...steps, { rule: verdict.reason, detail }] };
}
