import type { Engine, IndexReport } from "@plimsoll/core";
import {
  keysOfRecord,
  keysOfVerdicts,
  lookupName,
  type MatchKey,
  namesOfLicense,
  partyOf,
  spdxExpression,
  summarizeLicenses,
} from "@plimsoll/core/internal";
import { type IndexRecord, indexRecords } from "@plimsoll/core/match";
import type { Matcher } from "@plimsoll/core/plugins";
import type { PackageDetails } from "@plimsoll/core/report";
import { encodeRecord } from "./index-record.ts";
import { parts, type TextPieces, toPieces } from "./text-pieces.ts";

/** A record of a report for the reverse index, with the keys of all matchers. */
export interface IndexedRecord {
  readonly contentId: string;
  readonly text: string;
  readonly keys: readonly MatchKey[];
  /** By what else its images are found. */
  readonly facts: readonly RecordFact[];
}

/** What images can be asked for besides vulnerabilities: the name of a package or of its source, a licence, a supplier. */
export const factKinds = ["package", "license", "supplier"] as const;

/** Names that have several spellings are stored apart in their common one, so that `zope_interface` finds `zope.interface` of PyPI, but no other package. */
const spelledKind = "package-of-pypi";

/** A fact about a package: the value is in lower case. */
export type RecordFact = readonly [kind: FactKind | typeof spelledKind, value: string];

type FactKind = (typeof factKinds)[number];

/** The records of a report, and the keys state of their keys. */
export interface IndexedRecords {
  readonly keysState: string;
  /** Each line is a list of {@link IndexedRecord}. */
  readonly records: TextPieces;
}

/** The records of a report for the reverse index, as text. */
export function recordsToIndex(
  { matchers, keysState }: Pick<Engine, "matchers" | "keysState">,
  report: IndexReport,
): IndexedRecords {
  return { keysState, records: toPieces(linesOfRecords({ matchers }, report)) };
}

/** The lines of {@link recordsToIndex}. */
export function* linesOfRecords({ matchers }: Pick<Engine, "matchers">, report: IndexReport): Generator<string> {
  for (const part of parts(distinctRecords(matchers, report))) yield JSON.stringify(part);
}

/** The records of a report, each once. */
export function* distinctRecords(matchers: readonly Matcher[], report: IndexReport): Generator<IndexedRecord> {
  const seen = new Set<string>();
  for (const record of indexRecords(report)) {
    const { contentId, text } = encodeRecord(record);
    if (seen.size === seen.add(contentId).size) continue;
    const keys = keysOfVerdicts(matchers, record).filter(isStorable);
    yield { contentId, text, keys, facts: factsOf(record, report.details?.[record.package.id]) };
  }
}

/** The facts by which the images are found that have what is asked for. */
export function wantedFacts(kind: FactKind, value: string): readonly RecordFact[] {
  const present = kind === "license" ? (spdxExpression(value) ?? value) : value; // a former identifier means its successor
  const stated = [kind, factValue(present)] as const;
  return kind === "package" ? [stated, [spelledKind, factValue(lookupName("PyPI", value))]] : [stated];
}

function factsOf(
  { package: { name, source }, repositories }: IndexRecord,
  details: PackageDetails = {},
): readonly RecordFact[] {
  const isOfPypi = repositories.some((each) => each.name === "pypi");
  const { licenses = [] } = summarizeLicenses(details) ?? {};
  const stated: readonly RecordFact[] = [
    ["package", name],
    ["package", source?.name ?? name],
    [spelledKind, isOfPypi ? lookupName("PyPI", name) : ""],
    ["package", name.slice(name.indexOf(":") + 1)], // the artifact of Maven's GROUP:ARTIFACT
    ...licenses.flatMap(namesOfLicense).map((each) => ["license", each] as const),
    ["supplier", details.supplier ?? ""],
    ["supplier", partyOf(details.supplier ?? "").name],
  ];
  const facts = stated.map(([kind, value]) => [kind, factValue(value)] as const).filter(([, value]) => value !== "");
  return [...new Map(facts.map((fact) => [fact.join("\n"), fact])).values()];
}

/** A value as it is stored and asked for: PostgreSQL's text has no NUL, and its index rows have at most 2,700 bytes. */
function factValue(value: string): string {
  return value.replaceAll("\0", "").slice(0, 600).toLowerCase();
}

/** The keys of a record. A matcher that throws has none, neither in reports nor in the reverse index. */
export function keysOf(matcher: Matcher, record: IndexRecord): readonly MatchKey[] {
  return keysOfRecord(matcher, record, []);
}

/** Whether a key can be stored: PostgreSQL's text has no NUL and its index rows have at most 2,700 bytes. No advisory has such names. */
export function isStorable({ ecosystem, name }: MatchKey): boolean {
  return ecosystem.length + name.length <= 600 && !`${ecosystem}${name}`.includes("\0");
}
