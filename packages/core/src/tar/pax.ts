/**
 * Extended headers of POSIX pax: records that replace fields of the next entry (type `x`) or of all later ones (`g`).
 *
 *     records = *( LENGTH SP KEY "=" VALUE LF )      LENGTH counts the whole record in bytes, itself included
 *
 * An empty value cancels a record. Unknown keys are ignored.
 * @see https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html#tag_20_94_13_03
 */
import { ScanError } from "../errors.ts";
import { readDecimal } from "./numbers.ts";
import { decodeName } from "./text.ts";

/** The records with known keys. */
export interface PaxRecords {
  readonly values: ReadonlyMap<string, string>;
  /** The sparse map of format 0.0, which is stored in repeated records: offset, length, offset, length … */
  readonly sparseNumbers: readonly string[];
}

/** No records at all. */
export const noPaxRecords: PaxRecords = { values: new Map(), sparseNumbers: [] };

const usedKeys: ReadonlySet<string> = new Set([
  "path",
  "linkpath",
  "size",
  "GNU.sparse.major",
  "GNU.sparse.minor",
  "GNU.sparse.name",
  "GNU.sparse.realsize",
  "GNU.sparse.size",
  "GNU.sparse.map",
]);
const sparseNumberKeys: ReadonlySet<string> = new Set(["GNU.sparse.offset", "GNU.sparse.numbytes"]);

const lineFeed = 0x0a;
const space = 0x20;
const equals = 0x3d;

/**
 * Reads the content of an extended header.
 * @param at the offset of its header in the archive, for messages
 * @throws ScanError `malformed_archive`
 * @example
 * const records = parsePax(new TextEncoder().encode("14 path=a/b/c\n"), 0);
 * paxText(records, "path"); // "a/b/c"
 */
export function parsePax(content: Uint8Array, at: number): PaxRecords {
  const values = new Map<string, string>();
  const sparseNumbers: string[] = [];
  for (const record of splitRecords(content, at)) {
    const middle = record.indexOf(equals);
    if (middle < 1) throw malformed(at, "a record without a key");
    const key = decodeName(record.subarray(0, middle));
    if (usedKeys.has(key)) values.set(key, decodeName(record.subarray(middle + 1)));
    else if (sparseNumberKeys.has(key)) sparseNumbers.push(decodeName(record.subarray(middle + 1)));
  }
  return { values, sparseNumbers };
}

/**
 * The records of an entry, combined with the global ones, over which they have precedence.
 * @example
 * const local = parsePax(new TextEncoder().encode("11 size=42\n"), 0);
 * paxNumber(mergePax(noPaxRecords, local), "size", 0); // 42
 */
export function mergePax(global: PaxRecords, local: PaxRecords): PaxRecords {
  if (global.values.size === 0) return local;
  return { values: new Map([...global.values, ...local.values]), sparseNumbers: local.sparseNumbers };
}

/**
 * A text value; undefined when it is absent or cancelled.
 * @example
 * paxText(noPaxRecords, "path"); // undefined
 */
export function paxText(records: PaxRecords, key: string): string | undefined {
  const value = records.values.get(key);
  return value === "" ? undefined : value;
}

/**
 * A numeric value; undefined when it is absent or cancelled.
 * @throws ScanError `malformed_archive`
 * @example
 * paxNumber(noPaxRecords, "size", 0); // undefined
 */
export function paxNumber(records: PaxRecords, key: string, at: number): number | undefined {
  const text = paxText(records, key);
  if (text === undefined) return undefined;
  const value = readDecimal(text);
  if (value === undefined) throw malformed(at, `${key} is not a number: ${JSON.stringify(text.slice(0, 40))}`);
  return value;
}

/** `KEY=VALUE` of each record. */
function* splitRecords(content: Uint8Array, at: number): Iterable<Uint8Array> {
  for (let start = 0; start < content.length; ) {
    const gap = content.indexOf(space, start);
    const digits = content.subarray(start, Math.min(gap, start + 20));
    const length = gap < 0 ? undefined : readDecimal(decodeName(digits));
    const end = start + (length ?? 0);
    if (length === undefined || end <= gap + 1 || end > content.length || content[end - 1] !== lineFeed) {
      throw malformed(at, `a record at its byte ${start} whose length is wrong`);
    }
    yield content.subarray(gap + 1, end - 1);
    start = end;
  }
}

function malformed(at: number, what: string): ScanError {
  return new ScanError("malformed_archive", `pax header at byte ${at}: found ${what}`);
}
