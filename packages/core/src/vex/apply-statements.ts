import type { Suppressed, Vulnerability, VulnerabilityReport } from "../match/report.ts";
import { vulnerabilityNames } from "../match/vulnerability-names.ts";
import { recordPurl } from "../model/record-purl.ts";
import { isProduct, type StatedImage } from "./product.ts";
import type { VexStatement } from "./statement.ts";

/** What statements are held against. */
export interface StatementContext extends StatedImage {
  /** Epoch milliseconds: statements that expire are over from then on. */
  readonly now: number;
}

/** A report without what statements take out of it. */
export interface StatedReport {
  readonly report: VulnerabilityReport;
  /** Statements that would take findings out and were about none. */
  readonly unused: readonly VexStatement[];
  /** Statements that are over. */
  readonly expired: readonly VexStatement[];
}

/**
 * Takes the findings out of a report that a statement says are not affected or fixed, and lists them as `suppressed`. Of statements
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
  const expired = statements.filter(({ expiresAt = Number.POSITIVE_INFINITY }) => expiresAt <= context.now);
  const standing = statements.filter((statement) => !expired.includes(statement));
  const byName = indexByName(standing);
  const used = new Set<VexStatement>();
  const suppressed: Suppressed[] = [];
  const left: Record<string, readonly string[]> = {};
  for (const [packageId, ids] of Object.entries(report.packageVulnerabilities)) {
    const purls = purlsOf(report, packageId);
    const kept = ids.filter((id) => {
      const vulnerability = report.vulnerabilities[id];
      const about = vulnerability === undefined ? [] : statementsAbout(vulnerability, byName);
      const statement = latest(about.filter((each) => isAbout(each, context, purls)));
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

function takesOut({ status }: VexStatement): boolean {
  return status === "not_affected" || status === "fixed";
}

function indexByName(statements: readonly VexStatement[]): ReadonlyMap<string, readonly VexStatement[]> {
  const byName = new Map<string, VexStatement[]>();
  for (const statement of statements) {
    for (const name of new Set(statement.vulnerability.map((each) => each.toUpperCase()))) {
      const known = byName.get(name);
      if (known === undefined) byName.set(name, [statement]);
      else known.push(statement);
    }
  }
  return byName;
}

/** By any name that means the vulnerability alone: an erratum for several is not covered by a statement about one of them. */
function statementsAbout(
  vulnerability: Vulnerability,
  byName: ReadonlyMap<string, readonly VexStatement[]>,
): readonly VexStatement[] {
  const ids = vulnerabilityNames(vulnerability);
  const names = ids.length === 1 ? [vulnerability.name, ...ids, ...vulnerability.aliases] : [vulnerability.name];
  return [...new Set(names.flatMap((name) => byName.get(name.toUpperCase()) ?? []))];
}

function isAbout(statement: VexStatement, image: StatedImage, purls: readonly (string | undefined)[]): boolean {
  return purls.every((purl) => statement.products.some((product) => isProduct(product, image, purl)));
}

/** The package URLs of a package, one for each place that it was found in: a statement has to be about all of them. */
function purlsOf(report: VulnerabilityReport, packageId: string): readonly (string | undefined)[] {
  const found = report.packages[packageId];
  const seen = report.environments[packageId] ?? [];
  if (found === undefined || seen.length === 0) return [undefined];
  return seen.map(({ distributionId, repositoryIds }) => {
    const distribution = report.distributions[distributionId ?? ""];
    const repositories = repositoryIds.flatMap((id) => report.repositories[id] ?? []);
    return recordPurl({ package: found, repositories, ...(distribution !== undefined && { distribution }) });
  });
}

function latest(statements: readonly VexStatement[]): VexStatement | undefined {
  const dateOf = ({ statedAt = Number.NEGATIVE_INFINITY }: VexStatement) => statedAt;
  return statements.reduce<VexStatement | undefined>(
    (best, each) => (best === undefined || dateOf(each) >= dateOf(best) ? each : best),
    undefined,
  );
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
