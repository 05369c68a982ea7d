import { cvssScores } from "./cvss/score.ts";
import { parseCvss } from "./cvss/vector.ts";
import { type JsonPlace, memberAt, optionalStringAt, stringAt, unexpected } from "./json-place.ts";
import type { Json } from "./json-value.ts";
import { findSeverity, type Severity } from "./severity.ts";

/** The origins of ratings, the most relevant first. */
export const raters = [
  "advisory",
  "distribution",
  "ecosystem",
  "nvd",
  "cna",
  "adp",
] as const satisfies readonly Rating["by"][];
/** One of {@link raters}. */
export type Rater = Rating["by"];

/** The severity of a vulnerability by one source. */
export interface Rating {
  /**
   * The origin: the advisory of the finding (`advisory`), another advisory of the distribution's own feeds for the same package (`distribution`), an advisory in
   * a collection (`ecosystem`), the National Vulnerability Database (`nvd`), the authority that assigned the CVE id or another one that reports to the database
   * (`cna`), another publisher of the CVE list (`adp`).
   */
  readonly by: "advisory" | "distribution" | "ecosystem" | "nvd" | "cna" | "adp";
  /** The feed, or the organization that sent the score to the National Vulnerability Database. */
  readonly source: string;
  /** The vulnerability that was rated; an erratum may be about several. */
  readonly name: string;
  /** `Unknown` where the source's word is not a known severity. */
  readonly severity: Severity;
  /** The source's own word or CVSS vector. */
  readonly text?: string;
  /** The CVSS score, where there is a vector. */
  readonly score?: number;
}

/**
 * The score of a CVSS vector; undefined for any other text.
 * @example
 * scoreOfText("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"); // 9.8
 */
export function scoreOfText(text: string | undefined): number | undefined {
  if (text === undefined || !/^(?:CVSS:|AV:)/.test(text)) return undefined;
  try {
    return cvssScores(parseCvss(text)).overall;
  } catch {
    return undefined; // a vector of a later version, or malformed
  }
}

/** A rating on the wire. */
export function toRatingJson({ by, source, name, severity, text, score }: Rating): Json {
  return {
    by,
    source,
    name,
    severity,
    text,
    score,
  };
}

/** The inverse of {@link toRatingJson}. @throws ScanError with the code of the place */
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
    text,
    score: typeof score.value === "number" ? score.value : undefined,
  };
}
