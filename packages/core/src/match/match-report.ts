import type { Engine } from "../engine.ts";
import type { Advisory, AdvisoryRule } from "../model/advisory.ts";
import type { IndexReport } from "../model/index-report.ts";
import { slicesOf, type YieldToOthers } from "../model/slices.ts";
import type { IndexRecord, Matcher } from "../plugins/matcher.ts";
import type { AdvisorySource, FeedCoverage } from "../ports.ts";
import { buildReport } from "./build-report.ts";
import { findEndsOfLife } from "./ends-of-life.ts";
import { type EnrichmentSource, type Enrichments, findEnricherCoverage, findFacts } from "./enrich.ts";
import { indexRecords } from "./index-records.ts";
import type { MatchResult } from "./judgement.ts";
import { createKeyCollector } from "./lookup-keys.ts";
import { startMatching } from "./match-records.ts";
import { recordsToJudge } from "./records-to-judge.ts";
import type { EnricherCoverage, VulnerabilityReport } from "./report.ts";
import { addNames, isCovered, namesOf } from "./vulnerability-names.ts";

/** The parts of an engine that matching needs. */
export type MatchingEngine = Pick<Engine, "matchers" | "enrichers">;

/**
 * Matches an indexed image with the advisories of a source and builds the report. The source does all I/O.
 * @example
 * declare const indexReport: IndexReport;
 * declare const advisories: readonly Advisory[];
 * const engine = createEngine({ ecosystems: allEcosystems });
 * const report = await matchReport(engine, indexReport, { advisories: advisorySourceOf(advisories) });
 * for (const { name, fixedInVersion } of Object.values(report.vulnerabilities)) console.log(name, fixedInVersion);
 */
export async function matchReport(
  engine: Pick<Engine, "matchers" | "enrichers">,
  indexReport: IndexReport,
  {
    advisories,
    ...options
  }: {
    readonly advisories: AdvisorySource;
    readonly signal?: AbortSignal;
    /** Records of enrichers; without it reports have no enrichments. */
    readonly enrichments?: EnrichmentSource;
    /** Called between slices of the packages; without it, matching is interrupted only by queries for advisories. */
    readonly yieldToOthers?: () => unknown;
  },
): Promise<VulnerabilityReport> {
  const { yieldToOthers = () => {} } = options;
  const facts = {
    coverage: (some: readonly string[]) => advisories.coverage(some),
    names: (ecosystem: string) => advisories.names(ecosystem),
    ...options.enrichments,
  };
  const { records, problems: incomplete } = await recordsToJudge(engine, indexRecords(indexReport), facts);
  await yieldToOthers();
  const lookup = await collectKeys(engine.matchers, records, yieldToOthers);
  const feeds = await advisories.coverage(lookup.ecosystems);
  const rules = await advisories.lookup(lookup.keys);
  options.signal?.throwIfAborted();
  const matched = await matchInSlices(engine.matchers, { records, rules, feeds, yieldToOthers });
  const shown = matched.affected.map(({ advisory }) => advisory);
  const ids = new Set(shown.map(({ id }) => id));
  const stored = await advisories.details([...new Set([...ids, ...otherStatements(shown, rules)])].sort());
  const details = withJoinedNames(stored, shown);
  options.signal?.throwIfAborted();
  const explained = details.filter(({ id }) => ids.has(id));
  const { facts: added, problems: unenriched, enrichers } = await enrich(engine, explained, options.enrichments);
  const { distributions, repositories } = indexReport;
  const listed = { distributions, repositories, records };
  const lifecycles = { source: options.enrichments, yieldToOthers };
  const { ends: endsOfLife, problems: undated } = await findEndsOfLife(engine.enrichers, listed, lifecycles);
  const problems = [...incomplete, ...unenriched, ...undated];
  const found = { matched, advisories: details, facts: added, problems, endsOfLife };
  return buildReport({ indexReport, feeds, enrichers, ...found });
}

/** The advisories with the names that matching found in other advisories: facts are found by names. */
function withJoinedNames(advisories: readonly Advisory[], shown: readonly AdvisoryRule[]): readonly Advisory[] {
  const aliases = new Map<string, Set<string>>();
  for (const { id, aliases: known } of shown) {
    const all = aliases.get(id) ?? new Set();
    aliases.set(id, all);
    for (const name of known) all.add(name);
  }
  return advisories.map((advisory) => {
    const all = aliases.get(advisory.id);
    return all === undefined || all.size <= advisory.aliases.length ? advisory : { ...advisory, aliases: [...all] };
  });
}

async function collectKeys(
  matchers: readonly Matcher[],
  records: readonly IndexRecord[],
  yieldToOthers: YieldToOthers,
) {
  const collector = createKeyCollector(matchers);
  for (const some of slicesOf(records)) {
    collector.add(some);
    await yieldToOthers();
  }
  return collector.collected();
}

interface Sliced {
  readonly records: readonly IndexRecord[];
  readonly rules: readonly AdvisoryRule[];
  readonly feeds: readonly FeedCoverage[];
  readonly yieldToOthers: YieldToOthers;
}

async function matchInSlices(
  matchers: readonly Matcher[],
  { records, rules, feeds, yieldToOthers }: Sliced,
): Promise<MatchResult> {
  const matching = startMatching(matchers, rules, { feeds });
  for (const some of slicesOf(records)) {
    matching.add(some);
    await yieldToOthers();
  }
  return matching.result();
}

interface Enriched extends Enrichments {
  readonly enrichers?: readonly EnricherCoverage[] | undefined;
}

async function enrich(
  { enrichers }: MatchingEngine,
  advisories: readonly Advisory[],
  source: EnrichmentSource | undefined,
): Promise<Enriched> {
  if (source === undefined) return { facts: new Map(), problems: [] };
  return {
    ...(await findFacts(enrichers, advisories, source)),
    enrichers: await findEnricherCoverage(enrichers, source),
  };
}

/** By ecosystem and package: the names of the shown vulnerabilities, and the ids of their advisories. */
type Stated = Map<string, Map<string, { readonly names: Set<string>; readonly ids: Set<string> }>>;

/**
 * The ids of other advisories that state the same vulnerabilities, and no others, for the same packages. The report does not show them,
 * but their severities are shown as ratings.
 */
export function otherStatements(shown: readonly AdvisoryRule[], rules: readonly AdvisoryRule[]): readonly string[] {
  const stated: Stated = new Map();
  for (const advisory of shown) {
    const { names, ids } = statedOf(stated, advisory);
    addNames(namesOf(advisory), names);
    ids.add(advisory.id);
  }
  const others = rules.filter((rule) => {
    const same = stated.get(rule.ecosystem)?.get(rule.packageName);
    if (same === undefined || rule.status !== "affected" || same.ids.has(rule.id)) return false;
    return isCovered(namesOf(rule), same.names);
  });
  return others.map(({ id }) => id);
}

function statedOf(stated: Stated, { ecosystem, packageName }: AdvisoryRule) {
  const byPackage = stated.get(ecosystem) ?? new Map<string, { names: Set<string>; ids: Set<string> }>();
  stated.set(ecosystem, byPackage);
  const known = byPackage.get(packageName) ?? { names: new Set(), ids: new Set() };
  byPackage.set(packageName, known);
  return known;
}
