import { epssType, kevType } from "../enrichers/enrichment-types.ts";
import { hasCve } from "../enrichers/shared/cve-tags.ts";
import { isObject } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";
import { scoreOfText } from "../model/rating.ts";
import { compareSeverity, type Severity } from "../model/severity.ts";
import type { Vulnerability, VulnerabilityReport } from "./report.ts";

/** The facts by which findings are ranked. */
export interface Risk {
  /** Whether the vulnerability is known to be exploited. */
  readonly isExploited: boolean;
  /** The probability of exploitation within 30 days; absent where it is not known. */
  readonly epss?: {
    /** From 0 to 1. */
    readonly probability: number;
    /** The fraction of all vulnerabilities with this probability or less, from 0 to 1. */
    readonly percentile: number;
  };
  /** Set if the vulnerability has no CVE id, by which exploits are looked up, and nothing says that it is exploited, or how likely that is. */
  readonly withoutCve?: true;
  readonly severity: Severity;
  /** The CVSS score of the first rating that has one. */
  readonly score?: number;
  readonly hasFix: boolean;
}

/** An EPSS score; for a vulnerability with several CVE ids, the highest. */
export type ExploitScore = NonNullable<Risk["epss"]>;

/** The parts of a report that risks are read from. */
export type RiskSources = Pick<VulnerabilityReport, "enrichments" | "vulnerabilities">;

/**
 * The risk of each vulnerability of a report, by its id.
 * @example
 * declare const report: VulnerabilityReport;
 * const exploited = [...risksOf(report)].filter(([, risk]) => risk.isExploited).map(([id]) => id);
 */
export function risksOf(
  report: Pick<VulnerabilityReport, "enrichments" | "vulnerabilities">,
): ReadonlyMap<string, Risk> {
  const find = riskFinder(report);
  return new Map(Object.entries(report.vulnerabilities).map(([id, vulnerability]) => [id, find(id, vulnerability)]));
}

/**
 * A function that returns the risk of a vulnerability of a report, for a thread that must not be busy with all of them at once.
 * @example
 * declare const report: VulnerabilityReport;
 * const find = riskFinder(report);
 * for (const [id, vulnerability] of Object.entries(report.vulnerabilities)) console.log(find(id, vulnerability).severity);
 */
export function riskFinder({
  enrichments,
}: Pick<RiskSources, "enrichments">): (id: string, vulnerability: Vulnerability) => Risk {
  const [[exploited], [scored]] = [enrichments[kevType] ?? [], enrichments[epssType] ?? []];
  return (id, vulnerability) => riskOf(vulnerability, recordsAt(exploited, id), recordsAt(scored, id));
}

/** The facts of {@link Risk} that come from enrichers. */
export type RiskFact = "exploited" | "epss";

/**
 * The facts about risk that a report cannot state, since their data were not loaded: the absence of such a fact says nothing about a finding. A
 * report that does not say what was loaded, as one of another scanner, had the data if it has any such fact.
 * @example
 * declare const report: VulnerabilityReport;
 * if (missingRiskFacts(report).includes("exploited")) console.log("the catalog of exploited vulnerabilities was not loaded");
 */
export function missingRiskFacts({
  enrichers,
  enrichments,
}: Pick<VulnerabilityReport, "enrichers" | "enrichments">): readonly RiskFact[] {
  const hasFacts = (type: string) => (enrichments[type] ?? []).some((byId) => isObject(byId) && !isEmpty(byId));
  const isLoaded = (type: string) => enrichers?.some((each) => each.type === type && each.loaded) ?? hasFacts(type);
  return (["exploited", "epss"] as const).filter((fact) => !isLoaded(riskData[fact].type));
}

/** The data that facts about risk come from. */
export interface RiskData {
  /** The key of the facts in reports. */
  readonly type: string;
  /** The name of the feed in the default engine. */
  readonly feed: string;
  /** In words: `the catalog of exploited vulnerabilities`. */
  readonly title: string;
}

/** The data of each {@link RiskFact}. */
export const riskData: Readonly<Record<RiskFact, RiskData>> = {
  exploited: { type: kevType, feed: "kev", title: "the catalog of exploited vulnerabilities" },
  epss: { type: epssType, feed: "epss", title: "the probabilities of exploits" },
};

function isEmpty(members: object): boolean {
  for (const _ in members) return false;
  return true;
}

function riskOf(vulnerability: Vulnerability, exploited: readonly Json[], scored: readonly Json[]): Risk {
  const { normalizedSeverity, ratings = [], fixedInVersion } = vulnerability;
  const epss = scored.flatMap(exploitScore).sort((a, b) => b.probability - a.probability)[0];
  const score = ratings.find((rating) => rating.score !== undefined)?.score ?? scoreOfText(vulnerability.severity);
  return {
    isExploited: exploited.length > 0,
    epss,
    withoutCve: exploited.length === 0 && epss === undefined && !hasCve(vulnerability) ? true : undefined,
    severity: normalizedSeverity,
    score,
    hasFix: fixedInVersion !== undefined,
  };
}

/** Reports may come from other scanners, so values of unexpected types are ignored. */
function recordsAt(byId: Json | undefined, id: string): readonly Json[] {
  const records = isObject(byId) && Object.hasOwn(byId, id) ? byId[id] : undefined;
  return Array.isArray(records) ? records : [];
}

function exploitScore(record: Json): readonly ExploitScore[] {
  if (!isObject(record)) return [];
  const { epss: probability, percentile } = record;
  return typeof probability === "number" && typeof percentile === "number" ? [{ probability, percentile }] : [];
}

const noRisk: Risk = { isExploited: false, severity: "Unknown", hasFix: false };

/**
 * Orders risks, the greatest first: negative when `a` is the greater one. Known exploitation comes first, then the EPSS percentile, the
 * severity, the CVSS score, and an available fix before none.
 * @example
 * declare const risks: readonly Risk[];
 * const [greatest] = risks.toSorted(compareRisk);
 */
export function compareRisk(a: Risk = noRisk, b: Risk = noRisk): number {
  return (
    Number(b.isExploited) - Number(a.isExploited) ||
    (b.epss?.percentile ?? -1) - (a.epss?.percentile ?? -1) ||
    compareSeverity(b.severity, a.severity) ||
    (b.score ?? -1) - (a.score ?? -1) ||
    Number(b.hasFix) - Number(a.hasFix)
  );
}
