import type { Vulnerability } from "@plimsoll/core";
import { findCve, parseVulnerabilityReportJsonInSlices } from "@plimsoll/core/internal";
import type { Json } from "@plimsoll/core/report";
import { compareSeverity } from "@plimsoll/core/severity";
import { cooperativeYield } from "@plimsoll/store";
import type { FindingCountTable, FoundVulnerabilityTable } from "../store/tables/content.ts";
import { type DoneScan, findingsOf, type ImageFinding, missingOf } from "./image-findings.ts";
import { type FoundUpgrade, findUpgrades } from "./upgrades.ts";

type Known<Members> = { readonly [Member in keyof Members]: NonNullable<Members[Member]> };

/** How many vulnerabilities an image has, and how complete the scan was. */
export type FindingCounts = Known<Omit<FindingCountTable, "manifest_id" | "counted_at" | "due_at" | "news_at">>;

/** A vulnerability of an image, by one of its names. */
export type NamedVulnerability = Readonly<Omit<FoundVulnerabilityTable, "manifest_id" | "found_at" | "is_alias">> & {
  readonly is_alias: 0 | 1;
};

/** The findings of a scan in stored form. */
export interface CountedFindings {
  readonly counts: FindingCounts;
  readonly vulnerabilities: readonly NamedVulnerability[];
  readonly upgrades: readonly FoundUpgrade[];
}

/**
 * Counts the vulnerabilities of a scan. A vulnerability of several packages counts once, with the worst severity, and as fixable if one of
 * them has a fix. Suppressed findings are not counted. Other work of the thread runs in between.
 */
export async function countFindings(scan: DoneScan): Promise<CountedFindings> {
  const report = await parseVulnerabilityReportJsonInSlices(scan.report as unknown as Json, cooperativeYield());
  const findings = await findingsOf(report);
  const found = await joined(findings, ({ vulnerability }) => [vulnerability.name]);
  const of = (severity: ImageFinding["risk"]["severity"]) => found.filter((each) => each.severity === severity).length;
  const counts: FindingCounts = {
    critical: of("Critical"),
    high: of("High"),
    medium: of("Medium"),
    low: of("Low"),
    negligible: of("Negligible"),
    unknown: of("Unknown"),
    fixable: found.filter(({ has_fix }) => has_fix === 1).length,
    exploited: found.filter(({ is_exploited }) => is_exploited === 1).length,
    is_partial: missingOf(scan) === undefined && scan.coverage.unassessed.length === 0 ? 0 : 1,
    data_state: dataStateOf(scan),
  };
  return { counts, vulnerabilities: await joined(findings, namesOf), upgrades: await findUpgrades(report) };
}

function namesOf({ vulnerability }: ImageFinding): readonly string[] {
  return namesToFind(vulnerability);
}

/** The names by which a vulnerability is found: its own, its aliases, and the CVE ids in them (`ALPINE-CVE-2022-37434`). */
export function namesToFind({ name, aliases }: Pick<Vulnerability, "name" | "aliases">): readonly string[] {
  const names = [name, ...aliases];
  return [...new Set([...names, ...names.flatMap((each) => findCve(each) ?? [])].map(nameToFind))];
}

/** The form in which the name of a vulnerability is stored and looked up, so that upper and lower case do not matter. */
export function nameToFind(name: string): string {
  return name.toLowerCase();
}

async function joined(
  findings: readonly ImageFinding[],
  namesBy: (finding: ImageFinding) => readonly string[],
): Promise<readonly NamedVulnerability[]> {
  const yieldToOthers = cooperativeYield();
  const found = new Map<string, NamedVulnerability>();
  for (const finding of findings) {
    for (const name of namesBy(finding)) found.set(name, worstOf(namedOf(name, finding), found.get(name)));
    await yieldToOthers();
  }
  return [...found.values()];
}

function namedOf(name: string, { vulnerability, risk: { severity, hasFix, isExploited } }: ImageFinding) {
  const is_alias = name === nameToFind(vulnerability.name) ? 0 : 1;
  return { name, severity, has_fix: hasFix ? 1 : 0, is_exploited: isExploited ? 1 : 0, is_alias } as const;
}

/** A vulnerability that several findings are about. */
function worstOf(one: NamedVulnerability, other = one): NamedVulnerability {
  return {
    name: one.name,
    severity: compareSeverity(one.severity, other.severity) > 0 ? one.severity : other.severity,
    has_fix: one.has_fix || other.has_fix,
    is_exploited: one.is_exploited || other.is_exploited,
    is_alias: one.is_alias && other.is_alias,
  };
}

function dataStateOf({ feeds }: DoneScan): FindingCounts["data_state"] {
  if (feeds === undefined) return "unknown";
  if (feeds.some(({ isCovered }) => !isCovered)) return "missing";
  return feeds.some(({ isOutdated }) => isOutdated) ? "outdated" : "current";
}
