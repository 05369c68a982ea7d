import type { IndexRecord } from "../plugins/matcher.ts";
import type { Judgement } from "./judgement.ts";
import { ownerOf } from "./owners.ts";
import { addNames, isCovered, namesOf } from "./vulnerability-names.ts";

/** Findings of a package, and those that the distribution has fixed. */
export interface OwnerVerdicts {
  readonly affected: readonly Judgement<"affected">[];
  readonly notAffected: readonly Judgement<"not-affected">[];
}

/** Applies the fixes of the owners of one package to its findings. */
export type ApplyOwnerFixes = (record: IndexRecord, affected: readonly Judgement<"affected">[]) => OwnerVerdicts;

/**
 * Removes findings of a language package that the distribution has fixed in the packages that own its files. A backported fix does not
 * change the version of the language package, so the language's advisories cannot see it. Each owner is judged once.
 * @param judge gives the verdicts on a package
 */
export function ownerFixes(judge: (record: IndexRecord) => readonly Judgement[]): ApplyOwnerFixes {
  const fixedBy = new WeakMap<IndexRecord, ReadonlySet<string>>();
  const namesFixedBy = (owner: IndexRecord): ReadonlySet<string> => {
    const known = fixedBy.get(owner) ?? fixedNames(judge(owner));
    fixedBy.set(owner, known);
    return known;
  };
  return (record, affected) => {
    const { owners = [] } = record;
    if (affected.length === 0 || owners.length === 0) return { affected, notAffected: [] };
    const names = new Set(owners.flatMap((owner) => [...namesFixedBy(owner)]));
    const isFixed = ({ advisory }: Judgement) => isCovered(namesOf(advisory), names);
    return {
      affected: affected.filter((judgement) => !isFixed(judgement)),
      notAffected: affected.filter(isFixed).map(fixedByOwner),
    };
  };
}

function fixedNames(judgements: readonly Judgement[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { verdict, advisory } of judgements) {
    if (verdict.kind === "not-affected" && fixReasons.has(verdict.reason)) addNames(namesOf(advisory), names);
  }
  return names;
}

/** Reasons with which the distribution states that its package does not have the vulnerability. With others the advisory is about something else. */
const fixReasons: ReadonlySet<string> = new Set(["fixed", "vendor-statement"]);

function fixedByOwner(judgement: Judgement): Judgement<"not-affected"> {
  const { record, steps } = judgement;
  const detail = `the distribution has dealt with it in its package ${ownerOf(record)}, which owns the file`;
  const verdict = { kind: "not-affected", reason: "distribution-package" } as const;
  return { ...judgement, verdict, steps: steps.length === 0 ? steps : [...steps, { rule: verdict.reason, detail }] };
}
