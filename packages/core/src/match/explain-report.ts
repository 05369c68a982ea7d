import { releaseName } from "../model/distribution.ts";
import type { IndexReport, PackageFact, UnassessedPackages } from "../model/index-report.ts";
import type { Enricher } from "../plugins/enricher.ts";
import type { Matcher } from "../plugins/matcher.ts";
import type { AdvisorySource } from "../ports.ts";
import { withProblems } from "./build-report.ts";
import { candidatesOf, otherIdentitiesOf } from "./candidates-of.ts";
import type { EnrichmentSource } from "./enrich.ts";
import {
  type ExplainedRecord,
  type Explanation,
  type ExplanationAnswer,
  explain,
  type StatementOnFinding,
} from "./explain.ts";
import { indexRecords } from "./index-records.ts";
import type { Judgement } from "./judgement.ts";
import { lookupKeys } from "./lookup-keys.ts";
import { recordsToJudge } from "./records-to-judge.ts";
import { safeText } from "./safe-text.ts";
import { hidesNothing } from "./undecided-text.ts";

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

const sentences: Readonly<Record<ExplanationAnswer, string>> = {
  affected: "affected",
  undecided: "undecided: it is not known whether it is affected",
  suppressed: "suppressed: an advisory says that it is affected, but a statement suppresses the finding",
  "not-affected": "not affected",
  "no-advisory": "no advisory mentions it, but a feed covers the distribution or language",
  "not-covered": "unknown: no loaded feed covers the distribution or language",
  "no-matcher": "unknown: no matcher supports packages of this distribution",
  "database-damaged": "unknown: no such package was found, and a file that may list it could not be read",
  "not-assessed": "unknown: no such package was found, and the image has packages that are not assessed",
  "no-package": "no such package is in the image",
};

/** The answer for a whole image without such an advisory. Only advisories for the image's packages are looked up. */
const noAdvisoryForImage =
  "no advisory says that it affects a package of this image; packages of other images were not checked";

/** The answer for a whole image, some of whose packages no feed covers. */
const noAdvisoryForPart =
  "no loaded advisory says that it affects a package of this image, but no feed covers some of its packages";

/**
 * Formats an explanation as lines of plain text. Control characters in names and paths are escaped as `\\xNN`, so that an image cannot
 * forge lines.
 * @example
 * declare const explanation: Explanation;
 * console.log(formatExplanation(explanation));
 */
export function formatExplanation(explanation: Explanation): string {
  const { question, answer, records, problems, unassessed, uncovered, undecided } = explanation;
  const { vulnerability, packageName } = question;
  const subject = packageName === undefined ? vulnerability : `${vulnerability} in ${packageName}`;
  const isForImage = packageName === undefined && answer === "no-advisory";
  const forImage = uncovered.length > 0 ? noAdvisoryForPart : noAdvisoryForImage;
  const head = `${subject}: ${isForImage ? forImage : sentences[answer]}`;
  return [
    head,
    ...records.flatMap(recordLines),
    ...listed(uncovered, (ecosystem) => `  no loaded feed covers ${ecosystem}`),
    ...undecided.map((text) => `  undecided: ${text}`),
    ...listed(problems, ({ at, message }) => `  could not be read: ${at}: ${message}`),
    ...unassessed.flatMap(unassessedLines),
  ]
    .map(safeText)
    .join("\n");
}

const maxListed = 5;

function listed<Item>(items: readonly Item[], line: (item: Item) => string): readonly string[] {
  const rest = items.length - maxListed;
  return [...items.slice(0, maxListed).map(line), ...(rest > 0 ? [`  and ${rest} more`] : [])];
}

function unassessedLines({ kind, count, evidence }: UnassessedPackages): readonly string[] {
  return [
    `  not assessed: ${kind}, ${count} ${count === 1 ? "piece" : "pieces"} of evidence`,
    ...listed(evidence, ({ path, layer }) => `    ${path}, layer ${layer}`),
  ];
}

function recordLines({
  record,
  missing,
  keys,
  feeds,
  judgements,
  statements,
  answer,
}: ExplainedRecord): readonly string[] {
  const { name, version, source } = record.package;
  const from = source === undefined ? "" : `, built from ${source.name} ${source.version}`;
  const release = releaseName(record.distribution ?? {});
  const guesses = candidatesOf(record).filter((candidate) => !keys.some((key) => key.name === candidate));
  return [
    `  ${name} ${version}${from}: ${sentences[answer]}`,
    `    found in ${record.packageDb}${release === "" ? "" : `, ${release}`}`,
    ...(record.introducedIn === undefined ? [] : [`    added by layer ${record.introducedIn}`]),
    ...listed(guesses, (candidate) => `    may be ${candidate}, which is a guess: nothing is looked up`),
    ...listed(otherIdentitiesOf(record), (other) => `    would be ${other}, which does not agree`),
    ...(keys.length === 0 && guesses.length === 0 ? ["    nothing is looked up"] : []),
    ...keys.map(({ ecosystem, name }) => `    looked up: ${name} in ${ecosystem}`),
    ...missing.flatMap(missingLines),
    ...feeds.filter(({ covered }) => !covered).map(({ ecosystem }) => `    no loaded feed covers ${ecosystem}`),
    ...judgements.flatMap(judgementLines),
    ...statements.flatMap(statementLines),
  ];
}

function missingLines(fact: PackageFact): readonly string[] {
  if (fact === "ecosystem") return [];
  if (hidesNothing.has(fact)) return [`    not known: ${fact}`];
  const hint = fact === "group" ? " (an index of published archives may know it)" : "";
  return [`    not known, so it cannot be judged: ${fact}${hint}`];
}

function statementLines({ advisory, statement, isExpired }: StatementOnFinding): readonly string[] {
  const { status, justification, detail, author, expiresAt, place } = statement;
  const expired = isExpired ? " (expired, so it has no effect)" : "";
  const until = expiresAt === undefined ? [] : [`      until ${new Date(expiresAt).toISOString()}`];
  return [
    `    statement on ${advisory.name} in ${place}: ${[status, justification].filter((each) => each !== undefined).join(", ")}${expired}`,
    ...(author === undefined ? [] : [`      by ${author}`]),
    ...(detail === undefined ? [] : [`      ${detail}`]),
    ...until,
  ];
}

function judgementLines({ advisory, verdict, steps }: Judgement): readonly string[] {
  const why = verdict.kind === "affected" ? "" : `, ${verdict.reason}`;
  return [
    `    advisory ${advisory.id} (${[advisory.name, ...advisory.aliases].join(", ")}): ${sentences[verdict.kind]}${why}`,
    ...steps.map(({ rule, detail }) => `      ${rule}: ${detail}`),
  ];
}
