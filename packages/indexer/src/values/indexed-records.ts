import {
  type Engine,
  type IndexRecord,
  type IndexReport,
  indexRecords,
  keysOfRecord,
  keysOfVerdicts,
  type Matcher,
  type MatchKey,
} from "@plimsoll/core";
import { encodeRecord } from "./index-record.ts";
import { parts, type TextPieces, toPieces } from "./text-pieces.ts";

/** What of a report is looked for when advisories change: its records, each under the keys of the matchers. */
export interface IndexedRecord {
  readonly contentId: string;
  readonly text: string;
  readonly keys: readonly MatchKey[];
}

/** The records of a report, and the state of keys that their keys come from. */
export interface IndexedRecords {
  readonly keysState: string;
  /** Each line is a list of {@link IndexedRecord}. */
  readonly records: TextPieces;
}

/** What of a report is looked for, as text. */
export function recordsToIndex(
  { matchers, keysState }: Pick<Engine, "matchers" | "keysState">,
  report: IndexReport,
): IndexedRecords {
  return { keysState, records: toPieces(linesOfRecords({ matchers }, report)) };
}

/** The lines of that text. */
export function* linesOfRecords({ matchers }: Pick<Engine, "matchers">, report: IndexReport): Generator<string> {
  for (const part of parts(distinctRecords(matchers, report))) yield JSON.stringify(part);
}

/** The records of a report that some matcher speaks of, each once. */
export function* distinctRecords(matchers: readonly Matcher[], report: IndexReport): Generator<IndexedRecord> {
  const seen = new Set<string>();
  for (const record of indexRecords(report)) {
    const keys = keysOfVerdicts(matchers, record).filter(isStorable);
    if (keys.length === 0) continue;
    const { contentId, text } = encodeRecord(record);
    if (seen.size < seen.add(contentId).size) yield { contentId, text, keys };
  }
}

/** Under which keys a record is looked up. A matcher that throws finds nothing, neither forwards nor backwards. */
export function keysOf(matcher: Matcher, record: IndexRecord): readonly MatchKey[] {
  return keysOfRecord(matcher, record, []);
}

/** PostgreSQL's text has no NUL and its index rows end at 2,700 bytes; no advisory speaks of such names. */
export function isStorable({ ecosystem, name }: MatchKey): boolean {
  return ecosystem.length + name.length <= 600 && !`${ecosystem}${name}`.includes("\0");
}
