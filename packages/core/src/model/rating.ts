import { cvssScores } from "./cvss/score.ts";
import { parseCvss } from "./cvss/vector.ts";
import { type JsonPlace, memberAt, optionalStringAt, stringAt, unexpected } from "./json-place.ts";
import type { Json } from "./json-value.ts";
import { findSeverity, type Severity } from "./severity.ts";

/**
 * Whose rating it is: of the advisory that a finding is of (`advisory`), of another advisory of the distribution's own feeds for the same
 * package (`distribution`), of one that a collection of advisories has (`ecosystem`), of the National Vulnerability Database
 * (`nvd`), one of who gave out the CVE id or of others who report to the database (`cna`), or of another publisher of the CVE list (`adp`).
 */
export const raters = ["advisory", "distribution", "ecosystem", "nvd", "cna", "adp"] as const;
/** Who rated: one of {@link raters}. */
export type Rater = (typeof raters)[number];

/** The severity of a vulnerability by one source. */
export interface Rating {
  readonly by: Rater;
  /** The feed, or who gave the score to the National Vulnerability Database. */
  readonly source: string;
  /** The vulnerability that was rated; an erratum may be about several. */
  readonly name: string;
  /** Unknown where the source's word means none. */
  readonly severity: Severity;
  /** The source's own word or CVSS vector. */
  readonly text?: string;
  /** The CVSS score, where there is a vector. */
  readonly score?: number;
}

/** The score of what may be a CVSS vector; undefined for a word. */
export function scoreOfText(text: string | undefined): number | undefined {
  if (text === undefined || !/^(?:CVSS:|AV:)/.test(text)) return undefined;
  try {
    return cvssScores(parseCvss(text)).overall;
  } catch {
    return undefined; // a vector of a later version, or none
  }
}

/** A rating on the wire. */
export function toRatingJson({ by, source, name, severity, text, score }: Rating): Json {
  return {
    by,
    source,
    name,
    severity,
    ...(text !== undefined && { text }),
    ...(score !== undefined && { score }),
  };
}

/** Reads what {@link toRatingJson} wrote. @throws ScanError the code of the place */
export function parseRating(place: JsonPlace): Rating {
  const [by, severity, score] = [memberAt(place, "by"), memberAt(place, "severity"), memberAt(place, "score")];
  const rater = raters.find((each) => each === by.value);
  if (rater === undefined) throw unexpected(by, raters.join(", "));
  const found = findSeverity(stringAt(severity));
  if (found === undefined) throw unexpected(severity, "a normalized severity");
  const text = optionalStringAt(memberAt(place, "text"));
  return {
    by: rater,
    source: stringAt(memberAt(place, "source")),
    name: stringAt(memberAt(place, "name")),
    severity: found,
    ...(text !== undefined && { text }),
    ...(typeof score.value === "number" && { score: score.value }),
  };
}
