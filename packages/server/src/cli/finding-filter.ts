import { findSeverity, type Severity, severities } from "@plimsoll/scanner";
import { UsageError } from "./exit-code.ts";

/** Selects findings with one of the severities; with `fixable`, only those that have a fix. */
export interface FindingFilter {
  readonly severities: ReadonlySet<Severity>;
  readonly fixable: boolean;
}

/** Selects every finding. */
export const everyFinding: FindingFilter = { severities: new Set(severities), fixable: false };

/**
 * Parses the value of `--fail-on` and `--show`.
 *
 * term{,term}   term = SEVERITY (that one) | SEVERITY+ (that one and worse) | fixable
 *
 * @throws UsageError naming the flag and the term
 */
export function parseFindingFilter(flag: string, text: string): FindingFilter {
  const terms = text.split(",").map((term) => term.trim());
  const named = terms.filter((term) => term !== "fixable");
  const wanted = named.flatMap((term) => severitiesOf(flag, term));
  return {
    severities: named.length === 0 ? everyFinding.severities : new Set(wanted),
    fixable: terms.includes("fixable"),
  };
}

/** Whether a filter selects a finding. */
export function passes(filter: FindingFilter, severity: Severity, fixedInVersion: string | undefined): boolean {
  return filter.severities.has(severity) && (!filter.fixable || fixedInVersion !== undefined);
}

function severitiesOf(flag: string, term: string): readonly Severity[] {
  const andWorse = term.endsWith("+");
  const severity = findSeverity(andWorse ? term.slice(0, -1) : term);
  if (severity === undefined) {
    const known = severities.map((name) => name.toLowerCase()).join(", ");
    throw new UsageError(`${flag}: "${term}" is neither a severity (${known}, each with an optional +) nor "fixable"`);
  }
  return andWorse ? severities.slice(severities.indexOf(severity)) : [severity];
}
