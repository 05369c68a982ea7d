import type { AffectedVerdict, Judgement, NotAffectedVerdict, UndecidedVerdict } from "./match-records.ts";
import { addNames, isCovered, vulnerabilityNames } from "./vulnerability-names.ts";

/** The verdicts on one package, without contradictions and repetitions. */
export interface SettledVerdicts {
  readonly affected: readonly Judgement<AffectedVerdict>[];
  readonly undecided: readonly Judgement<UndecidedVerdict>[];
  readonly notAffected: readonly Judgement<NotAffectedVerdict>[];
  /** What another verdict already says. */
  readonly repeated: readonly Judgement[];
}

/**
 * Settles the verdicts on one package:
 * 1. what a vendor's statement says is not affected, is not, whoever else says so;
 * 2. a vulnerability is found once: by the distribution's own feed rather than by OSV, with a fix rather than without,
 *    by the advisory that is about the fewest others;
 * 3. what is decided by one advisory is not left undecided by another.
 */
export function settleVerdicts(judgements: readonly Judgement[]): SettledVerdicts {
  const affected = judgements.filter(isAffected);
  const undecided = judgements.filter(isUndecided);
  const notAffected = judgements.filter(isNotAffected);
  if (affected.length + undecided.length === 0) return { affected, undecided, notAffected, repeated: [] };

  const decided = new Set<string>();
  for (const { verdict, advisory } of notAffected) {
    if (verdict.reason === "vendor-statement") addNames(advisory, decided);
  }
  const overruled = new Set(affected.filter(({ advisory }) => isCovered(advisory, decided)));
  const repeated: Judgement[] = [];
  return {
    affected: takeDistinct(
      affected.filter((judgement) => !overruled.has(judgement)),
      decided,
      repeated,
    ),
    undecided: takeDistinct(undecided, decided, repeated),
    notAffected: [...notAffected, ...Array.from(overruled, overrule)],
    repeated,
  };
}

/** Takes what is not yet decided, the preferred first; the others are `repeated`. */
function takeDistinct<J extends Judgement>(judgements: readonly J[], decided: Set<string>, repeated: Judgement[]): J[] {
  return judgements.toSorted(byPreference).filter((judgement) => {
    const isNew = !isCovered(judgement.advisory, decided);
    if (isNew) addNames(judgement.advisory, decided);
    else repeated.push(judgement);
    return isNew;
  });
}

function overrule(judgement: Judgement): Judgement<NotAffectedVerdict> {
  const step = { rule: "vendor-statement", detail: "another advisory states that the package is not affected" };
  const verdict = { kind: "not-affected", reason: "vendor-statement" } as const;
  return { ...judgement, verdict, steps: judgement.steps.length === 0 ? judgement.steps : [...judgement.steps, step] };
}

/** Of two errata for the same vulnerabilities the later one (by its name) has the fix that holds. */
function byPreference(a: Judgement, b: Judgement): number {
  return (
    Number(isSecondHand(a)) - Number(isSecondHand(b)) ||
    Number(lacksFix(a)) - Number(lacksFix(b)) ||
    vulnerabilityNames(a.advisory).length - vulnerabilityNames(b.advisory).length ||
    compareText(b.advisory.name, a.advisory.name) ||
    compareText(b.advisory.id, a.advisory.id)
  );
}

/** Advisory ids begin with the updater; what OSV collects others have said first. */
function isSecondHand({ advisory }: Judgement): boolean {
  return advisory.id.startsWith("osv/");
}

function lacksFix({ verdict }: Judgement): boolean {
  return verdict.kind === "affected" && verdict.fixedInVersion === undefined;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function isAffected(judgement: Judgement): judgement is Judgement<AffectedVerdict> {
  return judgement.verdict.kind === "affected";
}

function isUndecided(judgement: Judgement): judgement is Judgement<UndecidedVerdict> {
  return judgement.verdict.kind === "undecided";
}

function isNotAffected(judgement: Judgement): judgement is Judgement<NotAffectedVerdict> {
  return judgement.verdict.kind === "not-affected";
}
