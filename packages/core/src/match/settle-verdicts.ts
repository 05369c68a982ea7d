import { orderOf } from "../versions/define-order.ts";
import type { AffectedVerdict, Judgement, NotAffectedVerdict, UndecidedVerdict } from "./judgement.ts";
import { isUnpatched } from "./range.ts";
import { addNames, isCovered, isCve, namesOf, type VulnerabilityNames } from "./vulnerability-names.ts";

/** The verdicts on one package, without contradictions and repetitions. */
export interface SettledVerdicts {
  readonly affected: readonly Judgement<AffectedVerdict>[];
  readonly undecided: readonly Judgement<UndecidedVerdict>[];
  readonly notAffected: readonly Judgement<NotAffectedVerdict>[];
  /** What another verdict already says. */
  readonly repeated: readonly Judgement[];
  /** Whether each verdict is about a vulnerability of its own, as nearly always. */
  readonly areDistinct: boolean;
}

/**
 * Settles the verdicts on one package:
 * 1. what a vendor's statement says is not affected, is not, whatever another advisory says; nor is a program that lacks the part of a package
 *    that the vulnerability is in;
 * 2. an advisory that names a fix beats one that says that no version has one: a package that has the fix is not affected;
 * 3. a vulnerability is found once: with a fix rather than without, by the own feed of the distribution or language rather than by GitHub or OSV,
 *    by the advisory that is about the fewest others;
 * 4. what is decided by one advisory is not left undecided by another.
 */
export function settleVerdicts(judgements: readonly Judgement[]): SettledVerdicts {
  const notAffected = judgements.filter(isNotAffected);
  if (notAffected.length === judgements.length) return { ...nothingFound, notAffected };

  if (!notAffected.some(isDecisive) && areDistinct(judgements)) {
    return {
      affected: judgements.filter(isAffected),
      undecided: judgements.filter(isUndecided),
      notAffected,
      repeated: [],
      areDistinct: true,
    };
  }
  const decided = new Set<string>();
  const fixed = new Set<string>();
  for (const judgement of notAffected) {
    if (isDecisive(judgement)) addNames(namesOf(judgement.advisory), decided);
    else if (judgement.verdict.reason === "fixed") addNames(namesOf(judgement.advisory), fixed);
  }
  const affected = judgements.filter(isAffected).map(nameJudgement);
  const isStated = ({ names }: Named<Judgement>) => isCovered(names, decided);
  const isFixed = ({ names, judgement }: Named<Judgement>) =>
    isCovered(names, fixed) && isUnpatched(judgement.advisory.ranges);
  const standing = affected.filter((named) => !isStated(named) && !isFixed(named));
  const overruled = affected
    .filter((named) => !standing.includes(named))
    .map((named) => overrule(named.judgement, isStated(named) ? reasonOf(named, notAffected) : "fixed"));
  const repeated: Judgement[] = [];
  return {
    affected: takeDistinct(standing, decided, repeated),
    undecided: takeDistinct(judgements.filter(isUndecided).map(nameJudgement), decided, repeated),
    notAffected: [...notAffected, ...overruled],
    repeated,
    areDistinct: false,
  };
}

/** Whether no other advisory of the same vulnerability counts then: one may speak of less than others, and so knows better. */
function isDecisive({ verdict: { reason } }: Judgement<NotAffectedVerdict>): boolean {
  return reason === "vendor-statement" || reason === "part-not-linked";
}

const nothingFound = { affected: [], undecided: [], repeated: [], areDistinct: true } as const;

/** Whether each judgement is about one CVE id of its own, as nearly always: then there is nothing to settle. */
function areDistinct(judgements: readonly Judgement[]): boolean {
  let last = "";
  let areAscending = true; // as sources give them: compared with the one before, no set is needed
  for (const { advisory } of judgements) {
    if (advisory.aliases.length > 0 || !isCve(advisory.name)) return false;
    areAscending &&= last < advisory.name;
    last = advisory.name;
  }
  return areAscending || new Set(judgements.map(({ advisory }) => advisory.name)).size === judgements.length;
}

/** A judgement and what its advisory is about, which is looked at again and again. */
interface Named<J extends Judgement> {
  readonly judgement: J;
  readonly names: VulnerabilityNames;
}

function nameJudgement<J extends Judgement>(judgement: J): Named<J> {
  return { judgement, names: namesOf(judgement.advisory) };
}

/** Takes what is not yet decided, the preferred first; the others are `repeated`. */
function takeDistinct<J extends Judgement>(
  given: readonly Named<J>[],
  decided: Set<string>,
  repeated: Judgement[],
): readonly J[] {
  const taken: J[] = [];
  for (const { judgement, names } of given.toSorted(byPreference)) {
    if (isCovered(names, decided)) {
      repeated.push(judgement);
      continue;
    }
    addNames(names, decided);
    taken.push(judgement);
  }
  return taken;
}

/** Why a vulnerability that is stated not to be there is not. */
function reasonOf({ names }: Named<Judgement>, notAffected: readonly Judgement<NotAffectedVerdict>[]) {
  const isOfPart = ({ verdict, advisory }: Judgement<NotAffectedVerdict>): boolean => {
    const own = new Set<string>();
    addNames(namesOf(advisory), own);
    return verdict.reason === "part-not-linked" && isCovered(names, own);
  };
  return notAffected.some(isOfPart) ? "part-not-linked" : "vendor-statement";
}

const overruling = {
  "vendor-statement": "another advisory states that the package is not affected",
  "part-not-linked": "another advisory says which part of the package it is in, and the program does not have that",
  fixed: "another advisory names a fix, and the package has it",
} as const;

function overrule(judgement: Judgement, reason: keyof typeof overruling): Judgement<NotAffectedVerdict> {
  const step = { rule: reason, detail: overruling[reason] };
  const verdict = { kind: "not-affected", reason } as const;
  return { ...judgement, verdict, steps: judgement.steps.length === 0 ? judgement.steps : [...judgement.steps, step] };
}

/** Of two errata for the same vulnerabilities the later one (by its name) has the fix that holds. */
function byPreference(a: Named<Judgement>, b: Named<Judgement>): number {
  return (
    Number(lacksFix(a)) - Number(lacksFix(b)) ||
    distanceOf(a) - distanceOf(b) ||
    a.names.ids.length - b.names.ids.length ||
    orderOf(b.names.name, a.names.name) ||
    orderOf(b.judgement.advisory.id, a.judgement.advisory.id)
  );
}

/** Feeds that collect what others have said first, and one that is no longer written; advisory ids begin with the updater. */
const collections = ["ghsa/", "nodejs/", "osv/"] as const;

/** 0 for the source of a statement itself, more the further it is from it. */
function distanceOf({ judgement }: Named<Judgement>): number {
  return collections.findIndex((updater) => judgement.advisory.id.startsWith(updater)) + 1;
}

function lacksFix({ judgement: { verdict } }: Named<Judgement>): boolean {
  return verdict.kind === "affected" && verdict.fixedInVersion === undefined;
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
