import { type NamedAdvisory, vulnerabilityNames } from "../match/vulnerability-names.ts";
import type { IndexReport } from "../model/index-report.ts";
import { recordPurl } from "../model/record-purl.ts";
import { kernelStatement } from "./kernel-packages.ts";
import { isProduct, type StatedImage } from "./product.ts";
import type { VexStatement } from "./statement.ts";

/** What statements are held against. */
export interface StatementContext extends StatedImage {
  /** Epoch milliseconds: statements that expire are over from then on. */
  readonly now: number;
  /** `set-aside`: findings in packages of the kernel are no findings of the image, as of a container; absent: they are like others. */
  readonly kernel?: "set-aside";
}

/** What an image holds, by which packages are known. */
export type StatedPackages = Pick<IndexReport, "packages" | "environments" | "repositories" | "distributions">;

/** The statement that counts for a vulnerability in a package, by the package URLs of all its places. */
export type FindStatement = (about: NamedAdvisory, purls: readonly (string | undefined)[]) => VexStatement | undefined;

/** Of statements about the same finding the latest counts, and of equally late ones the last given. */
export function statementFinder(
  statements: readonly VexStatement[],
  image: Omit<StatementContext, "now">,
): FindStatement {
  const byName = indexByName(statements);
  const ofKernel = image.kernel === "set-aside" ? kernelStatementOnAll : () => undefined;
  return (about, purls) =>
    latest(statementsAbout(about, byName).filter((each) => isAbout(each, image, purls))) ?? ofKernel(purls);
}

/** Every place that a package was found in has to make it one of the kernel. */
function kernelStatementOnAll(purls: readonly (string | undefined)[]): VexStatement | undefined {
  const [first, ...others] = purls.map(kernelStatement);
  return others.every((each) => each !== undefined) ? first : undefined;
}

/** Whether it takes what it is about out of the findings. */
export function takesOut({ status }: VexStatement): boolean {
  return status === "not_affected" || status === "fixed";
}

/** Whether it no longer counts. @param now epoch milliseconds */
export function isOver({ expiresAt = Number.POSITIVE_INFINITY }: VexStatement, now: number): boolean {
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

/** By any name that means the vulnerability alone: an erratum for several is not covered by a statement about one of them. */
function statementsAbout(
  vulnerability: NamedAdvisory,
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
export function purlsOfPackage(report: StatedPackages, packageId: string): readonly (string | undefined)[] {
  const found = report.packages[packageId];
  const seen = report.environments[packageId] ?? [];
  if (found === undefined || seen.length === 0) return [undefined];
  return seen.map(({ distributionId, repositoryIds }) => {
    const distribution = report.distributions[distributionId ?? ""];
    const repositories = repositoryIds.flatMap((id) => report.repositories[id] ?? []);
    return recordPurl({ package: found, repositories, ...(distribution !== undefined && { distribution }) });
  });
}

/** What is attached to the image counts only where nothing else is stated. */
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
