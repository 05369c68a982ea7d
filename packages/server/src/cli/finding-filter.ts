import type { RiskFact } from "@plimsoll/core/internal";
import { type Finding, findSeverity, type Severity, severities } from "@plimsoll/scanner";
import { UsageError } from "./exit-code.ts";

/**
 * Selects findings that have one of the severities, are known to be exploited, or are likely to be; with `fixable`, only those of them that have
 * a fix. The pull gate of a registry combines its rules in the same way.
 */
export interface FindingFilter {
  /** As it was written; absent for one that was not. */
  readonly text?: string;
  readonly severities: ReadonlySet<Severity>;
  readonly exploited: boolean;
  /** The least probability of an exploit within 30 days; absent: the probability selects nothing. */
  readonly epss?: LeastProbability;
  readonly fixable: boolean;
}

/** A lower bound from 0 to 1. */
export interface LeastProbability {
  readonly bound: number;
  /** Whether the bound itself is selected. */
  readonly inclusive: boolean;
}

/** Selects every finding. */
export const everyFinding: FindingFilter = { severities: new Set(severities), exploited: false, fixable: false };

/**
 * Parses the value of `--fail-on` and `--show`.
 *
 * term{,term}   term = SEVERITY | SEVERITY+ | exploited | epss>NUMBER | epss>=NUMBER | fixable
 *
 * The only severity of a list means that one and worse, as `SEVERITY+` does; of several severities each means itself. Without a
 * severity, `exploited` and `epss` alone select.
 *
 * @throws UsageError naming the flag and the term
 */
export function parseFindingFilter(flag: string, text: string): FindingFilter {
  const terms = text.split(",").map((term) => term.trim());
  const bounds = terms.flatMap((term) => probabilityOf(flag, term) ?? []);
  if (bounds.length > 1) throw new UsageError(`${flag}: expected at most one epss, found ${bounds.length}`);
  const named = terms.filter((term) => !(words.has(term) || term.startsWith("epss")));
  const wanted = named.flatMap((term) => severitiesOf(flag, named.length === 1 ? withWorse(term) : term));
  const exploited = terms.includes("exploited");
  const [epss] = bounds;
  const selectsByRisk = exploited || epss !== undefined;
  return {
    text,
    severities: named.length > 0 || selectsByRisk ? new Set(wanted) : everyFinding.severities,
    exploited,
    epss,
    fixable: terms.includes("fixable"),
  };
}

const words: ReadonlySet<string> = new Set(["exploited", "fixable"]);

/** Whether a filter selects a finding. */
export function passes(filter: FindingFilter, finding: Pick<Finding, "severity" | "fixedIn" | "risk">): boolean {
  if (filter.fixable && finding.fixedIn === undefined) return false;
  if (filter.severities.has(finding.severity)) return true;
  return (filter.exploited && finding.risk.isExploited) || isLikely(filter, finding);
}

/** Whether a filter by risk cannot tell whether it selects a finding: without a CVE id, nothing is known about exploits. */
export function cannotTell(filter: FindingFilter, finding: Pick<Finding, "severity" | "fixedIn" | "risk">): boolean {
  if (neededRiskFacts(filter).length === 0 || (filter.fixable && finding.fixedIn === undefined)) return false;
  return finding.risk.withoutCve === true && !passes(filter, finding);
}

/**
 * Whether a filter by probability cannot tell whether it selects a finding with a CVE id: that of a new one is not known for some days, and none is
 * computed for a rejected one.
 */
export function lacksScore(filter: FindingFilter, finding: Pick<Finding, "severity" | "fixedIn" | "risk">): boolean {
  const { epss, withoutCve } = finding.risk;
  if (filter.epss === undefined || epss !== undefined || withoutCve === true) return false;
  return !(filter.fixable && finding.fixedIn === undefined) && !passes(filter, finding);
}

/** Whether a filter selects every finding whose severity, risk and fix are not known. */
export function isOfAll({ severities: selected, fixable }: FindingFilter): boolean {
  return !fixable && severities.every((severity) => selected.has(severity));
}

/** The facts about risk by which a filter selects. */
export function neededRiskFacts({ exploited, epss }: FindingFilter): readonly RiskFact[] {
  return [...(exploited ? (["exploited"] as const) : []), ...(epss === undefined ? [] : (["epss"] as const))];
}

function isLikely({ epss }: FindingFilter, { risk }: Pick<Finding, "risk">): boolean {
  if (epss === undefined || risk.epss === undefined) return false;
  const { probability } = risk.epss;
  return epss.inclusive ? probability >= epss.bound : probability > epss.bound;
}

/** The bound of `epss>0.5`; undefined for another term. */
function probabilityOf(flag: string, term: string): LeastProbability | undefined {
  if (!term.startsWith("epss")) return undefined;
  const [, relation, number = ""] = /^epss\s*(>=?)\s*(\d{1,9}(?:\.\d{1,9})?|\.\d{1,9})$/.exec(term) ?? [];
  const bound = Number.parseFloat(number);
  if (relation === undefined || !(bound <= 1))
    throw new UsageError(`${flag}: "${term}" is no lower bound of a probability from 0 to 1, such as epss>0.5`);
  return { bound, inclusive: relation === ">=" };
}

function withWorse(term: string): string {
  return term.endsWith("+") ? term : `${term}+`;
}

function severitiesOf(flag: string, term: string): readonly Severity[] {
  const andWorse = term.endsWith("+");
  const severity = findSeverity(andWorse ? term.slice(0, -1) : term);
  if (severity === undefined) {
    const known = severities.map((name) => name.toLowerCase()).join(", ");
    const named = term.endsWith("+") && !term.endsWith("++") ? term.slice(0, -1) : term;
    throw new UsageError(
      `${flag}: "${named}" is neither a severity (${known}, each with an optional +) nor "exploited", "epss>0.5" or "fixable"`,
    );
  }
  return andWorse ? severities.slice(severities.indexOf(severity)) : [severity];
}
