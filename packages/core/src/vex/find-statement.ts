import { ScanError } from "../errors.ts";
import { type NamedAdvisory, vulnerabilityNames } from "../match/vulnerability-names.ts";
import type { IndexReport } from "../model/index-report.ts";
import { recordPurl } from "../model/record-purl.ts";
import { kernelStatement } from "./kernel-packages.ts";
import { productOf } from "./product.ts";
import type { StatementContext, VexStatement } from "./statement.ts";

/** The parts of an index report that identify its packages. */
export type StatedPackages = Pick<IndexReport, "packages" | "environments" | "repositories" | "distributions">;

/** The statement that counts for a vulnerability in a package, by the package URLs of all its places. */
export type FindStatement = (about: NamedAdvisory, purls: readonly (string | undefined)[]) => VexStatement | undefined;

/**
 * A function that finds the statement for a finding. If several are about the same finding, the latest counts; of several with the same date,
 * the last given.
 */
export function statementFinder(
  statements: readonly VexStatement[],
  image: Omit<StatementContext, "now">,
): FindStatement {
  const byName = indexByName(statements);
  const isAbout = aboutImage(image);
  const ofKernel = image.kernel === "set-aside" ? kernelStatementOnAll : () => undefined;
  return (about, purls) =>
    latest(statementsAbout(about, byName).filter((each) => isAbout(each, purls))) ?? ofKernel(purls);
}

/** The statement for a package that is a kernel package at every place where it was found. */
function kernelStatementOnAll(purls: readonly (string | undefined)[]): VexStatement | undefined {
  const [first, ...others] = purls.map(kernelStatement);
  return others.every((each) => each !== undefined) ? first : undefined;
}

/** Whether a statement suppresses the findings that it is about. */
export function suppresses({ status }: VexStatement): boolean {
  return status === "not_affected" || status === "fixed";
}

/** Whether a statement no longer counts. @param now epoch milliseconds */
export function hasExpired({ expiresAt = Number.POSITIVE_INFINITY }: VexStatement, now: number): boolean {
  return expiresAt <= now;
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

/**
 * The statements about a vulnerability, by its name and aliases. If it covers several CVE ids, as an erratum does, only its own name
 * counts: a statement about one of them does not cover all.
 */
function statementsAbout(
  vulnerability: NamedAdvisory,
  byName: ReadonlyMap<string, readonly VexStatement[]>,
): readonly VexStatement[] {
  const ids = vulnerabilityNames(vulnerability);
  const names = ids.length === 1 ? [vulnerability.name, ...ids, ...vulnerability.aliases] : [vulnerability.name];
  return [...new Set(names.flatMap((name) => byName.get(name.toUpperCase()) ?? []))];
}

type IsAbout = (statement: VexStatement, purls: readonly (string | undefined)[]) => boolean;

/**
 * A function that tells whether a statement is about a package at all its places.
 * @throws ScanError `vex_too_costly` if it has compared more than `mostComparisons` products
 */
function aboutImage({ mostComparisons = Number.POSITIVE_INFINITY, ...image }: Omit<StatementContext, "now">): IsAbout {
  const isProduct = productOf(image);
  let comparisons = 0;
  return ({ products }, purls) => {
    const isCovered = (purl: string | undefined) =>
      products.some((product) => {
        comparisons += 1 + (product.versions?.component ?? product.versions?.image ?? []).length;
        if (comparisons > mostComparisons)
          throw new ScanError(
            "vex_too_costly",
            `VEX: more than ${mostComparisons} products are compared with packages`,
          );
        return isProduct(product, purl);
      });
    comparisons++; // a statement without products costs too
    return purls.every(isCovered);
  };
}

/** The package URLs of a package, one for each place where it was found. A statement must be about all of them. */
export function purlsOfPackage(report: StatedPackages, packageId: string): readonly (string | undefined)[] {
  const found = report.packages[packageId];
  const seen = report.environments[packageId] ?? [];
  if (found === undefined || seen.length === 0) return [undefined];
  return seen.map(({ distributionId, repositoryIds }) => {
    const distribution = report.distributions[distributionId ?? ""];
    const repositories = repositoryIds.flatMap((id) => report.repositories[id] ?? []);
    return recordPurl({ package: found, repositories, distribution });
  });
}

/** The latest statement. Statements attached to the image count only if there are no others. */
function latest(statements: readonly VexStatement[]): VexStatement | undefined {
  const given = statements.filter(({ isAttached }) => isAttached !== true);
  return latestOf(given.length > 0 ? given : statements);
}

function latestOf(statements: readonly VexStatement[]): VexStatement | undefined {
  const dateOf = ({ statedAt = Number.NEGATIVE_INFINITY }: VexStatement) => statedAt;
  return statements.reduce<VexStatement | undefined>(
    (best, each) => (best === undefined || dateOf(each) >= dateOf(best) ? each : best),
    undefined,
  );
}
