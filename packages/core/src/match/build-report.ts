import { ratingsType } from "../enrichers/enrichment-types.ts";
import type { Advisory, AdvisoryRange, AdvisoryRule } from "../model/advisory.ts";
import type { EndOfLife } from "../model/end-of-life.ts";
import type { Coverage, IndexReport, Problem, UndecidedPackages } from "../model/index-report.ts";
import type { Json } from "../model/json-value.ts";
import type { Rating } from "../model/rating.ts";
import type { FeedCoverage } from "../ports.ts";
import { orderOf } from "../versions/define-order.ts";
import type { Facts } from "./enrich.ts";
import type { Judgement, MatchResult } from "./judgement.ts";
import { undecidedPackages } from "./missing-facts.ts";
import { ratingsOf, shownRating } from "./ratings.ts";
import type { EnricherCoverage, Undecided, Vulnerability, VulnerabilityRange, VulnerabilityReport } from "./report.ts";
import { compareRisk, type Risk, risksOf } from "./risk.ts";
import { addNames, isCovered, namesOf } from "./vulnerability-names.ts";

/** The parts of a report. */
interface ReportParts {
  readonly indexReport: IndexReport;
  readonly matched: MatchResult;
  /** The whole advisories of the affected verdicts, and others for the same packages about the same vulnerabilities. */
  readonly advisories: readonly Advisory[];
  readonly feeds: readonly FeedCoverage[];
  /** Undefined if it is not known. */
  readonly enrichers?: readonly EnricherCoverage[] | undefined;
  /** Facts of enrichers. */
  readonly facts: Facts;
  /** Problems besides those of matchers. */
  readonly problems: readonly Problem[];
  readonly endsOfLife?: readonly EndOfLife[];
}

/**
 * Builds the report. The same parts in any order give the same report: ids count the vulnerabilities in the order of
 * their names, packages and advisories.
 */
export function buildReport(parts: ReportParts): VulnerabilityReport {
  const { indexReport, matched, advisories, feeds, enrichers, facts, problems, endsOfLife = [] } = parts;
  const { manifestDigest, packages, distributions, repositories, environments } = indexReport;
  const detailsOf = findDetails(advisories, matched.affected, facts);
  const found = groupByVulnerability(matched.affected).map((group, index) => ({
    group,
    vulnerability: vulnerabilityOf(String(index + 1), group, detailsOf(group)),
  }));
  const vulnerabilities = Object.fromEntries(found.map(({ vulnerability }) => [vulnerability.id, vulnerability]));
  const enrichments = enrichmentsOf(found, facts);
  return {
    manifestDigest,
    packages,
    distributions,
    repositories,
    environments,
    vulnerabilities,
    packageVulnerabilities: idsByPackage(found, risksOf({ vulnerabilities, enrichments })),
    undecided: undecidedOf(matched),
    suppressed: [],
    enrichments,
    coverage: withUndecided(withProblems(indexReport.coverage, [...matched.problems, ...problems]), {
      undecided: undecidedPackages(matched.undecidedRecords),
      feeds,
    }),
    feeds: [...feeds].sort((a, b) => orderOf(a.ecosystem, b.ecosystem)),
    enrichers,
    endsOfLife,
  };
}

/** Finds the whole advisory of a group, and all ratings of its severity. */
function findDetails(advisories: readonly Advisory[], affected: Group, facts: Facts): (group: Group) => Details {
  const byId = new Map(advisories.map((advisory) => [advisory.id, advisory]));
  const shown = new Set(affected.map(({ advisory }) => advisory.id));
  const othersOf = new Map<string, Advisory[]>();
  for (const other of advisories.filter(({ id }) => !shown.has(id))) {
    const key = `${other.ecosystem}\n${other.packageName}`;
    const known = othersOf.get(key);
    if (known === undefined) othersOf.set(key, [other]);
    else known.push(other);
  }
  return ([first]) => {
    const advisory = byId.get(first?.advisory.id ?? "");
    if (advisory === undefined) return { advisory, ratings: [] };
    const names = new Set<string>();
    addNames(namesOf(advisory), names);
    const others = othersOf.get(`${advisory.ecosystem}\n${advisory.packageName}`) ?? [];
    const same = others.filter((other) => isCovered(namesOf(other), names));
    return {
      advisory,
      ratings: ratingsOf({ advisory, others: same, facts: facts.get(ratingsType)?.get(advisory.id) }),
    };
  };
}

/** A vulnerability and its verdicts. */
interface Found {
  readonly group: Group;
  readonly vulnerability: Vulnerability;
}

/** The groups in the order of their ids. */
function groupByVulnerability(affected: Group): readonly Group[] {
  const groups = new Map<string, Judgement<"affected">[]>();
  for (const judgement of affected) {
    const { name, packageName, id } = judgement.advisory;
    const key = [name, packageName, id, judgement.verdict.fixedInVersion ?? ""].join("\n");
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [judgement]);
    else group.push(judgement);
  }
  return [...groups].sort(([a], [b]) => orderOf(a, b)).map(([, group]) => group);
}

function idsByPackage(found: readonly Found[], risks: ReadonlyMap<string, Risk>): Record<string, readonly string[]> {
  const byPackage = new Map<string, Set<string>>();
  for (const { group, vulnerability } of found) {
    for (const { record } of group) {
      const known = byPackage.get(record.package.id);
      if (known === undefined) byPackage.set(record.package.id, new Set([vulnerability.id]));
      else known.add(vulnerability.id);
    }
  }
  const byRisk = (a: string, b: string) => compareRisk(risks.get(a), risks.get(b)) || Number(a) - Number(b);
  const sorted = [...byPackage].sort(([a], [b]) => Number(a) - Number(b));
  return Object.fromEntries(sorted.map(([id, of]) => [id, [...of].sort(byRisk)]));
}

function undecidedOf({ undecided }: MatchResult): readonly Undecided[] {
  const byKey = new Map(
    undecided.map(({ record, advisory, verdict }) => {
      const entry = { packageId: record.package.id, name: advisory.name, reason: verdict.reason };
      return [`${entry.packageId}\n${entry.name}\n${entry.reason}`, entry] as const;
    }),
  );
  return [...byKey.values()].sort(
    (a, b) => Number(a.packageId) - Number(b.packageId) || orderOf(a.name, b.name) || orderOf(a.reason, b.reason),
  );
}

/** By type, a list of one object: vulnerability id → facts. Ratings are members of the vulnerabilities instead. */
function enrichmentsOf(found: readonly Found[], facts: Facts): Record<string, readonly Json[]> {
  const types = [...facts].filter(([type]) => type !== ratingsType).sort(([a], [b]) => orderOf(a, b));
  return Object.fromEntries(types.map(([type, byAdvisory]) => [type, [factsById(found, byAdvisory)]]));
}

function factsById(found: readonly Found[], byAdvisory: ReadonlyMap<string, Json>): Json {
  const entries = found.flatMap(({ group, vulnerability }) => {
    const fact = byAdvisory.get(group[0]?.advisory.id ?? "");
    return fact === undefined ? [] : [[vulnerability.id, fact] as const];
  });
  return Object.fromEntries(entries);
}

/** The coverage with more problems; partial if there are any. */
export function withProblems(coverage: Coverage, problems: readonly Problem[]): Coverage {
  if (problems.length === 0) return coverage;
  return { ...coverage, status: "partial", problems: [...coverage.problems, ...problems] };
}

interface Unjudged {
  readonly undecided: readonly UndecidedPackages[];
  readonly feeds: readonly FeedCoverage[];
}

/**
 * The coverage with packages that cannot be judged; partial if there are any, packages that no loaded feed covers, or packages that the
 * distribution did not make.
 */
function withUndecided(coverage: Coverage, { undecided, feeds }: Unjudged): Coverage {
  if (undecided.length > 0) return { ...coverage, status: "partial", undecided };
  const isJudged = coverage.thirdPartyPackages === 0 && feeds.every(({ covered }) => covered);
  return isJudged ? coverage : { ...coverage, status: "partial" };
}

/** Verdicts that differ only in the package: they are one vulnerability of a report. */
type Group = readonly Judgement<"affected">[];

/** The facts about a vulnerability besides its verdicts. */
interface Details {
  /** The whole advisory; undefined where it was deleted after matching. */
  readonly advisory: Advisory | undefined;
  /** The most relevant first. */
  readonly ratings: readonly Rating[];
}

/** Makes the vulnerability for a group of verdicts. */
function vulnerabilityOf(id: string, group: Group, details: Details): Vulnerability {
  const [first] = group.toSorted((a, b) => Number(a.record.package.id) - Number(b.record.package.id));
  if (first === undefined) throw new Error("a vulnerability without a package");
  const { advisory, record, verdict } = first;
  const range = rangeOf(advisory.ranges, verdict.fixedInVersion);
  const repository = record.distribution === undefined ? record.repositories[0] : undefined;
  return {
    id,
    ...descriptionOf(advisory, details),
    package: packageOf(id, advisory),
    distribution: record.distribution,
    repository,
    fixedInVersion: verdict.fixedInVersion,
    range,
    archOperation: advisory.arch?.operation,
  };
}

type Description = Omit<Vulnerability, "id" | "package">;

/** An advisory that was deleted between look-up and details is described by the rule that it was judged by. */
function descriptionOf({ name, aliases, id }: AdvisoryRule, { advisory, ratings }: Details): Description {
  if (advisory === undefined) {
    return { updater: id.split("/", 1)[0] ?? "", name, aliases, links: [], normalizedSeverity: "Unknown" };
  }
  const { updater, links, description, issuedAt } = advisory;
  const shown = shownRating(ratings);
  const severity = shown === undefined ? advisory.severity : shown.text;
  return {
    updater,
    name,
    aliases,
    links,
    normalizedSeverity: shown?.severity ?? "Unknown",
    ratings: ratings.some(({ by }) => by !== "advisory") ? ratings : undefined,
    description,
    issuedAt,
    severity,
  };
}

function packageOf(id: string, { packageName, packageKind, module, arch }: AdvisoryRule): Vulnerability["package"] {
  return {
    id: `vulnerability-${id}`, // packages of the image have numbers
    name: packageName,
    version: "",
    kind: packageKind,
    module,
    arch: arch?.value,
  };
}

/**
 * The range that ends with the fix. Where another advisory of the same vulnerability names the fix, this advisory's first range
 * with a fix is extended to it. Without a fix, the first range without one. Undefined where all versions are affected, and for a range
 * with an inclusive end.
 */
function rangeOf(ranges: readonly AdvisoryRange[], fixedInVersion: string | undefined): VulnerabilityRange | undefined {
  const found = ranges.find(({ fixed }) => fixed === fixedInVersion) ?? ranges.find(({ fixed }) => fixed !== undefined);
  if (found === undefined || found.lastAffected !== undefined) return undefined;
  const lower = found.introduced === "0" ? undefined : found.introduced;
  const upper = fixedInVersion ?? found.below;
  if (lower === undefined && upper === undefined) return undefined;
  return { lower, upper };
}
