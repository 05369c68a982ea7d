import type { Suppressed, VulnerabilityReport } from "../match/report.ts";
import { hasExpired, purlsOfPackage, type StatementContext, statementFinder, suppresses } from "./find-statement.ts";
import type { VexStatement } from "./statement.ts";

/** A report after its statements are applied. */
export interface StatedReport {
  readonly report: VulnerabilityReport;
  /** Statements that could suppress findings but apply to none. */
  readonly unused: readonly VexStatement[];
  /** Statements that have expired. */
  readonly expired: readonly VexStatement[];
}

/**
 * Moves findings that statements declare not affected or fixed to `suppressed`. If several statements are about the same finding, the
 * latest counts; of several with the same date, the last given. The given report is not changed.
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
  const expired = statements.filter((statement) => hasExpired(statement, context.now));
  const current = statements.filter((statement) => !expired.includes(statement));
  const find = statementFinder(current, context);
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
      if (!suppresses(statement)) return true;
      suppressed.push(suppressedBy(statement, packageId, id));
      return false;
    });
    if (kept.length > 0) left[packageId] = kept;
  }
  return {
    report: { ...report, packageVulnerabilities: left, suppressed: [...report.suppressed, ...suppressed] },
    unused: current.filter((statement) => suppresses(statement) && !used.has(statement)),
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
