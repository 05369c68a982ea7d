import type { NotAffectedReason } from "../plugins/matcher.ts";
import { orderOf } from "../versions/define-order.ts";
import { joinRepeated, type Named } from "./join-repeated.ts";
import type { Judgement } from "./judgement.ts";
import { isUnpatched } from "./range.ts";
import { addNames, isCovered, isCve, namesOf, type VulnerabilityNames } from "./vulnerability-names.ts";

/** The verdicts on one package, without contradictions and repetitions. */
export interface SettledVerdicts {
  readonly affected: readonly Judgement<"affected">[];
  readonly undecided: readonly Judgement<"undecided">[];
  readonly notAffected: readonly Judgement<"not-affected">[];
  /** Verdicts that repeat another one. */
  readonly repeated: readonly Judgement[];
  /** Whether each verdict is about a different vulnerability, as nearly always. */
  readonly areDistinct: boolean;
}

/**
 * Resolves contradictions and repetitions among the verdicts on one package:
 * 1. A vendor's statement "not affected" overrules all other advisories. So does the finding that a program does not contain the vulnerable part
 *    of a package.
 * 2. In feeds of distributions, an advisory with a fix overrules one that states that no version has a fix: a package that has the fix is not
 *    affected. In others, each advisory counts.
 * 3. A vulnerability is found once, with the names that all its advisories know. Preferred are advisories with a fix, then those of the
 *    distribution's or language's own feed over GitHub and OSV, then those about the fewest vulnerabilities.
 * 4. A vulnerability that one advisory decides is not undecided because of another.
 * @param fixesOverrule whether rule 2 applies to the verdicts of a matcher, by its name
 */
export function settleVerdicts(
  judgements: readonly Judgement[],
  fixesOverrule: (matcher: string) => boolean,
): SettledVerdicts {
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
    else if (hasFix(judgement) && fixesOverrule(judgement.matcher)) addNames(namesOf(judgement.advisory), fixed);
  }
  const affected = judgements.filter(isAffected).map(nameJudgement);
  const isStated = ({ names }: Named<Judgement>) => isCovered(names, decided);
  const isFixed = ({ names, judgement }: Named<Judgement>) =>
    isCovered(names, fixed) && isUnpatched(judgement.advisory.ranges);
  const remaining = affected.filter((named) => !isStated(named) && !isFixed(named));
  const overruled = affected
    .filter((named) => isStated(named) || isFixed(named))
    .map((named) => overrule(named, notAffected, isStated(named) ? isDecisive : hasFix));
  const repeated: Judgement[] = [];
  return {
    affected: selectDistinct(remaining, decided, repeated),
    undecided: selectDistinct(judgements.filter(isUndecided).map(nameJudgement), decided, repeated),
    notAffected: [...notAffected, ...overruled],
    repeated,
    areDistinct: false,
  };
}

/** Whether the verdict overrules other advisories about the same vulnerability: it is about something more specific than they are. */
function isDecisive({ verdict: { reason } }: Judgement<"not-affected">): boolean {
  return reason === "vendor-statement" || reason === "part-not-linked";
}

const nothingFound = { affected: [], undecided: [], repeated: [], areDistinct: true } as const;

/** Whether each judgement is about a different CVE id, as nearly always: then there is nothing to resolve. */
function areDistinct(judgements: readonly Judgement[]): boolean {
  let last = "";
  let areAscending = true; // the usual order of sources: comparing neighbours needs no set
  for (const { advisory } of judgements) {
    if (advisory.aliases.length > 0 || !isCve(advisory.name)) return false;
    areAscending &&= last < advisory.name;
    last = advisory.name;
  }
  return areAscending || new Set(judgements.map(({ advisory }) => advisory.name)).size === judgements.length;
}

function nameJudgement<J extends Judgement>(judgement: J): Named<J> {
  return { judgement, names: namesOf(judgement.advisory) };
}

/** Selects the preferred judgement on each vulnerability that is not in `decided` yet; adds the others to `repeated`. */
function selectDistinct<J extends Judgement>(
  given: readonly Named<J>[],
  decided: Set<string>,
  repeated: Judgement[],
): readonly J[] {
  const selected: Named<J>[] = [];
  const covered: Named<J>[] = [];
  for (const named of given.toSorted(byPreference)) {
    if (isCovered(named.names, decided)) {
      covered.push(named);
      continue;
    }
    addNames(named.names, decided);
    selected.push(named);
  }
  if (covered.length === 0) return selected.map(({ judgement }) => judgement);
  const joined = joinRepeated(selected, covered);
  for (const { judgement } of covered) repeated.push(judgement);
  for (const judgement of joined.repeated) repeated.push(judgement);
  return joined.selected;
}

type Overruling = Judgement<"not-affected">;

/** Overrules a finding by the verdicts that cover its vulnerability. The finding that a part is not contained is the most specific. */
function overrule(
  { judgement, names }: Named<Judgement>,
  notAffected: readonly Overruling[],
  isOfKind: (other: Overruling) => boolean,
): Overruling {
  const covering = notAffected.filter((other) => isOfKind(other) && sharesNames(names, other));
  const by = covering.find(({ verdict }) => verdict.reason === "part-not-linked") ?? covering[0];
  const reason = by?.verdict.reason ?? "vendor-statement";
  const step = { rule: reason, detail: `${by?.advisory.id ?? "another advisory"} ${overruling[reason] ?? ""}` };
  const verdict = { kind: "not-affected", reason } as const;
  return { ...judgement, verdict, steps: judgement.steps.length === 0 ? judgement.steps : [...judgement.steps, step] };
}

function sharesNames({ name, ids, others }: VulnerabilityNames, { advisory }: Overruling): boolean {
  const own = new Set<string>();
  addNames(namesOf(advisory), own);
  return [name, ...ids, ...others].some((each) => own.has(each));
}

const overruling: { readonly [Reason in NotAffectedReason]?: string } = {
  "vendor-statement": "states that the package is not affected",
  "part-not-linked": "names the vulnerable part of the package, and the program does not contain it",
  fixed: "names a fix, and the package has it",
};

function hasFix({ verdict }: Overruling): boolean {
  return verdict.reason === "fixed";
}

/** Of two errata for the same vulnerabilities, the later one (by its name) has the lasting fix. */
function byPreference(a: Named<Judgement>, b: Named<Judgement>): number {
  return (
    Number(lacksFix(a)) - Number(lacksFix(b)) ||
    distanceOf(a) - distanceOf(b) ||
    a.names.ids.length - b.names.ids.length ||
    orderOf(b.names.name, a.names.name) ||
    orderOf(b.judgement.advisory.id, a.judgement.advisory.id)
  );
}

/** Feeds that collect advisories of others (`ghsa`, `osv`), and one that is no longer maintained (`nodejs`). Advisory ids begin with the updater. */
const collections = ["ghsa/", "nodejs/", "osv/"] as const;

/** 0 for an advisory of the original source, greater for less direct ones. */
function distanceOf({ judgement }: Named<Judgement>): number {
  return collections.findIndex((updater) => judgement.advisory.id.startsWith(updater)) + 1;
}

function lacksFix({ judgement: { verdict } }: Named<Judgement>): boolean {
  return verdict.kind === "affected" && verdict.fixedInVersion === undefined;
}

function isAffected(judgement: Judgement): judgement is Judgement<"affected"> {
  return judgement.verdict.kind === "affected";
}

function isUndecided(judgement: Judgement): judgement is Judgement<"undecided"> {
  return judgement.verdict.kind === "undecided";
}

function isNotAffected(judgement: Judgement): judgement is Judgement<"not-affected"> {
  return judgement.verdict.kind === "not-affected";
}
