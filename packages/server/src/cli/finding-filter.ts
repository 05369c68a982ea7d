import { findSeverity, type Severity, severities } from "@plimsoll/scanner";
import { UsageError } from "./exit-code.ts";

/** Which findings are meant: any of the severities, and only fixable ones where `fixable` is set. */
export interface FindingFilter {
  readonly severities: ReadonlySet<Severity>;
  readonly fixable: boolean;
}

/** Lets every finding through. */
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

/** Whether a finding passes. */
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
