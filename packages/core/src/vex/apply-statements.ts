import type { Suppressed, VulnerabilityReport } from "../match/report.ts";
import { allAtOnce, inSlices, type Steps, type YieldToOthers } from "../model/slices.ts";
import { addMember } from "../wire/members.ts";
import { hasExpired, purlsOfPackage, statementFinder, suppresses } from "./find-statement.ts";
import type { StatementContext, VexStatement } from "./statement.ts";

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
  return allAtOnce(statedSteps(report, statements, context));
}

/**
 * {@link applyStatements} in steps of about a millisecond, for a thread with other work. A report of 200,000 findings takes a quarter of a second.
 * @param context with `yieldToOthers`, which is called between steps; what it returns is awaited
 * @throws ScanError `vex_too_costly` if `mostComparisons` is exceeded
 * @example
 * import { setImmediate } from "node:timers/promises";
 *
 * declare const report: VulnerabilityReport;
 * declare const statements: readonly VexStatement[];
 * const image = { digests: [report.manifestDigest], now: Date.now() };
 * const stated = await applyStatementsInSlices(report, statements, { ...image, yieldToOthers: () => setImmediate() });
 */
export async function applyStatementsInSlices(
  report: VulnerabilityReport,
  statements: readonly VexStatement[],
  { yieldToOthers, ...context }: StatementContext & { readonly yieldToOthers: YieldToOthers },
): Promise<StatedReport> {
  return inSlices(statedSteps(report, statements, context), yieldToOthers);
}

/** The number of findings of one step: the more statements there are, the longer one of them may take. */
function findingsPerStep(statements: readonly VexStatement[]): number {
  return Math.ceil(20_000 / (statements.length + 200));
}

function* statedSteps(
  report: VulnerabilityReport,
  statements: readonly VexStatement[],
  context: StatementContext,
): Steps<StatedReport> {
  const [expired, current] = partition(statements, (statement) => hasExpired(statement, context.now));
  const find = statementFinder(current, context);
  const used = new Set<VexStatement>();
  const suppressed: Suppressed[] = [];
  const left: Record<string, readonly string[]> = {};
  const perStep = findingsPerStep(current);
  let findings = 0;
  for (const packageId of Object.keys(report.packageVulnerabilities)) {
    const purls = purlsOfPackage(report, packageId);
    const kept: string[] = [];
    for (const id of report.packageVulnerabilities[packageId] ?? []) {
      const vulnerability = report.vulnerabilities[id];
      const statement = vulnerability && find(vulnerability, purls);
      if (statement !== undefined) used.add(statement);
      if (statement !== undefined && suppresses(statement)) suppressed.push(suppressedBy(statement, packageId, id));
      else kept.push(id);
      if (++findings % perStep === 0) yield;
    }
    if (kept.length > 0) addMember(left, packageId, kept);
  }
  return {
    report: { ...report, packageVulnerabilities: left, suppressed: [...report.suppressed, ...suppressed] },
    unused: current.filter((statement) => suppresses(statement) && !used.has(statement)),
    expired,
  };
}

function partition<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): readonly [Item[], Item[]] {
  const parts: readonly [Item[], Item[]] = [[], []];
  for (const item of items) parts[isFirst(item) ? 0 : 1].push(item);
  return parts;
}

function suppressedBy(statement: VexStatement, packageId: string, vulnerabilityId: string): Suppressed {
  const { status, justification, detail, author, expiresAt, place } = statement;
  return {
    packageId,
    vulnerabilityId,
    status: status === "fixed" ? "fixed" : "not_affected",
    place,
    justification,
    detail,
    author,
    expiresAt,
  };
}
