import type { Engine, IndexReport } from "@plimsoll/core";
import { keysOfRecord, keysOfVerdicts } from "@plimsoll/core/internal";
import { type IndexRecord, indexRecords, type MatchKey } from "@plimsoll/core/match";
import type { Matcher } from "@plimsoll/core/plugins";
import { encodeRecord } from "./index-record.ts";
import { parts, type TextPieces, toPieces } from "./text-pieces.ts";

/** A record of a report for the reverse index, with the keys of all matchers. */
export interface IndexedRecord {
  readonly contentId: string;
  readonly text: string;
  readonly keys: readonly MatchKey[];
}

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

/** The records of a report for which any matcher has a key, each once. */
export function* distinctRecords(matchers: readonly Matcher[], report: IndexReport): Generator<IndexedRecord> {
  const seen = new Set<string>();
  for (const record of indexRecords(report)) {
    const keys = keysOfVerdicts(matchers, record).filter(isStorable);
    if (keys.length === 0) continue;
    const { contentId, text } = encodeRecord(record);
    if (seen.size < seen.add(contentId).size) yield { contentId, text, keys };
  }
}

/** The keys of a record. A matcher that throws has none, neither in reports nor in the reverse index. */
export function keysOf(matcher: Matcher, record: IndexRecord): readonly MatchKey[] {
  return keysOfRecord(matcher, record, []);
}

/** Whether a key can be stored: PostgreSQL's text has no NUL and its index rows have at most 2,700 bytes. No advisory has such names. */
export function isStorable({ ecosystem, name }: MatchKey): boolean {
  return ecosystem.length + name.length <= 600 && !`${ecosystem}${name}`.includes("\0");
}
