import type { IndexReport } from "../model/index-report.ts";
import type { Enricher } from "../plugins/enricher.ts";
import type { Matcher } from "../plugins/matcher.ts";
import type { AdvisorySource } from "../ports.ts";
import { withProblems } from "./build-report.ts";
import type { EnrichmentSource } from "./enrich.ts";
import { type Explanation, explain } from "./explain.ts";
import { indexRecords } from "./index-records.ts";
import { lookupKeys } from "./lookup-keys.ts";
import { recordsToJudge } from "./records-to-judge.ts";

/**
 * Explains the verdict on a vulnerability in an indexed image. The source of advisories does all I/O.
 * @example
 * declare const report: IndexReport;
 * declare const advisories: AdvisorySource;
 * const engine = createEngine({ ecosystems: allEcosystems });
 * const question = { vulnerability: "CVE-2023-45853", packageName: "zlib1g" };
 * console.log(formatExplanation(await explainReport(engine, { report, advisories }, question)));
 */
export async function explainReport(
  { matchers, enrichers = [] }: { readonly matchers: readonly Matcher[]; readonly enrichers?: readonly Enricher[] },
  {
    report,
    advisories,
  }: { readonly report: IndexReport; readonly advisories: AdvisorySource & Partial<EnrichmentSource> },
  question: Explanation["question"],
): Promise<Explanation> {
  const { records, problems } = await recordsToJudge({ matchers, enrichers }, indexRecords(report), advisories);
  const lookup = lookupKeys(matchers, records);
  const [rules, feeds] = await Promise.all([advisories.lookup(lookup.keys), advisories.coverage(lookup.ecosystems)]);
  return explain(question, {
    matchers,
    records,
    advisories: rules,
    feeds,
    coverage: withProblems(report.coverage, problems),
  });
}
