import type { Suppressed, VulnerabilityReport } from "../match/report.ts";
import { isOver, purlsOfPackage, type StatementContext, statementFinder, takesOut } from "./find-statement.ts";
import type { VexStatement } from "./statement.ts";

/** A report without what statements take out of it. */
export interface StatedReport {
  readonly report: VulnerabilityReport;
  /** Statements that would take findings out and were about none. */
  readonly unused: readonly VexStatement[];
  /** Statements that are over. */
  readonly expired: readonly VexStatement[];
}

/**
 * Moves the findings that statements declare not affected or fixed to `suppressed`. Of statements
 * about the same finding the latest counts, and of equally late ones the last given. The report that is given is not changed.
 *
 * @example
 * declare const report: VulnerabilityReport;
 * declare const bytes: Uint8Array;
 * const { report: rest, unused } = applyStatements(report, parseVex(bytes, "app.vex.json"), {
 *   digests: [report.manifestDigest],
 *   now: Date.now(),
 * });
 */
export function applyStatements(
  report: VulnerabilityReport,
  statements: readonly VexStatement[],
  context: StatementContext,
): StatedReport {
  const expired = statements.filter((statement) => isOver(statement, context.now));
  const standing = statements.filter((statement) => !expired.includes(statement));
  const find = statementFinder(standing, context);
  const used = new Set<VexStatement>();
  const suppressed: Suppressed[] = [];
  const left: Record<string, readonly string[]> = {};
  for (const [packageId, ids] of Object.entries(report.packageVulnerabilities)) {
    const purls = purlsOfPackage(report, packageId);
    const kept = ids.filter((id) => {
      const vulnerability = report.vulnerabilities[id];
      const statement = vulnerability && find(vulnerability, purls);
      if (statement === undefined) return true;
      used.add(statement);
      if (!takesOut(statement)) return true;
      suppressed.push(suppressedBy(statement, packageId, id));
      return false;
    });
    if (kept.length > 0) left[packageId] = kept;
  }
  return {
    report: { ...report, packageVulnerabilities: left, suppressed: [...report.suppressed, ...suppressed] },
    unused: standing.filter((statement) => takesOut(statement) && !used.has(statement)),
    expired,
  };
}

function suppressedBy(statement: VexStatement, packageId: string, vulnerabilityId: string): Suppressed {
  const { status, justification, detail, author, expiresAt, place } = statement;
  return {
    packageId,
    vulnerabilityId,
    status: status === "fixed" ? "fixed" : "not_affected",
    place,
    ...(justification !== undefined && { justification }),
    ...(detail !== undefined && { detail }),
    ...(author !== undefined && { author }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}
