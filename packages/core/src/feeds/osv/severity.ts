import { isAbsent, type JsonPlace, memberAt, optionalItemsAt, stringAt } from "../../model/json-place.ts";
import type { Severity } from "../../model/severity.ts";
import { vectorSeverity } from "../shared/scored-severity.ts";
import { normalizeSeverity } from "../shared/vendor-severity.ts";

/** A vendor's severity and its normalized form. */
export interface OsvSeverity {
  /** The word or the vector as it is in the record. */
  readonly severity?: string;
  readonly normalizedSeverity: Severity;
}

/** Types of scores, the preferred first: a vendor's own word, then CVSS from new to old. */
const types = ["Ubuntu", "CVSS_V4", "CVSS_V3", "CVSS_V2"] as const;

/** The first word of summaries of errata of the Red Hat family: `Important: openssl security update`. */
const summaryWord = /^(Critical|Important|Moderate|Low): /;

/**
 * The severity of one entry of `affected`: the first of the entry's own scores, the record's scores, the database's word, and the
 * first word of the summary. A package that was published to do harm (`MAL-…`) is critical.
 * @see https://github.com/ossf/malicious-packages
 */
export function osvSeverity(record: JsonPlace, affected: JsonPlace): OsvSeverity {
  const scored = scoreOf(memberAt(affected, "severity")) ?? scoreOf(memberAt(record, "severity"));
  if (scored !== undefined) return scored;
  const word =
    wordAt(memberAt(affected, "database_specific")) ??
    wordAt(memberAt(affected, "ecosystem_specific")) ??
    wordAt(memberAt(record, "database_specific")) ??
    summaryWord.exec(textOf(memberAt(record, "summary")))?.[1] ??
    (textOf(memberAt(record, "id")).startsWith("MAL-") ? "malicious" : undefined);
  return word === undefined ? { normalizedSeverity: "Unknown" } : ofWord(word);
}

function scoreOf(severities: JsonPlace): OsvSeverity | undefined {
  const scores = optionalItemsAt(severities).map((place) => ({
    type: stringAt(memberAt(place, "type")),
    score: stringAt(memberAt(place, "score")),
  }));
  for (const type of types) {
    const found = scores.find((score) => score.type === type);
    if (found === undefined) continue;
    const rated = type === "Ubuntu" ? ofWord(found.score) : vectorSeverity(found.score);
    if (rated !== undefined) return rated;
  }
  return undefined;
}

function ofWord(word: string): OsvSeverity {
  return { severity: word, normalizedSeverity: normalizeSeverity("osv", word) };
}

/** A summary that is not a string is reported where the description is read. */
function textOf({ value }: JsonPlace): string {
  return typeof value === "string" ? value : "";
}

/** The member `severity` of an object whose form each database defines itself. */
function wordAt(specific: JsonPlace): string | undefined {
  if (isAbsent(specific) || typeof specific.value !== "object" || Array.isArray(specific.value)) return undefined;
  const { value } = memberAt(specific, "severity");
  return typeof value === "string" && value !== "" ? value : undefined;
}
