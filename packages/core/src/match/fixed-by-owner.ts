import type { IndexRecord } from "../plugins/matcher.ts";
import type { AffectedVerdict, Judgement, NotAffectedVerdict } from "./judgement.ts";
import { ownerOf } from "./owners.ts";
import { addNames, isCovered, namesOf } from "./vulnerability-names.ts";

/** Findings apart from those that the distribution has dealt with. */
export interface OwnerSettlement {
  readonly affected: readonly Judgement<AffectedVerdict>[];
  readonly notAffected: readonly Judgement<NotAffectedVerdict>[];
}

/** Settles the findings of one package. */
export type SettleByOwners = (record: IndexRecord, affected: readonly Judgement<AffectedVerdict>[]) => OwnerSettlement;

/**
 * Takes out of the findings of a language's package what the distribution has fixed in the packages that own its files: a fix
 * that is taken back to an older version leaves the version that the language tells as it was. Owners are judged once each.
 * @param judge gives the verdicts on a package
 */
export function settlerByOwners(judge: (record: IndexRecord) => readonly Judgement[]): SettleByOwners {
  const settledBy = new WeakMap<IndexRecord, ReadonlySet<string>>();
  const namesSettledBy = (owner: IndexRecord): ReadonlySet<string> => {
    const known = settledBy.get(owner) ?? settledNames(judge(owner));
    settledBy.set(owner, known);
    return known;
  };
  return (record, affected) => {
    const { owners = [] } = record;
    if (affected.length === 0 || owners.length === 0) return { affected, notAffected: [] };
    const names = new Set(owners.flatMap((owner) => [...namesSettledBy(owner)]));
    const isSettled = ({ advisory }: Judgement) => isCovered(namesOf(advisory), names);
    return {
      affected: affected.filter((judgement) => !isSettled(judgement)),
      notAffected: affected.filter(isSettled).map(settled),
    };
  };
}

function settledNames(judgements: readonly Judgement[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { verdict, advisory } of judgements) {
    if (verdict.kind === "not-affected" && saysSo.has(verdict.reason)) addNames(namesOf(advisory), names);
  }
  return names;
}

/** Reasons by which an advisory of the distribution deals with a vulnerability, other than that it speaks of something else. */
const saysSo: ReadonlySet<string> = new Set(["fixed", "vendor-statement"]);

function settled(judgement: Judgement): Judgement<NotAffectedVerdict> {
  const { record, steps } = judgement;
  const detail = `the distribution has dealt with it in its package ${ownerOf(record)}, which owns the file`;
  const verdict = { kind: "not-affected", reason: "distribution-package" } as const;
  return { ...judgement, verdict, steps: steps.length === 0 ? steps : [...steps, { rule: verdict.reason, detail }] };
}
