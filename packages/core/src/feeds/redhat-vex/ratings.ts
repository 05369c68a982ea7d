import { ScanError } from "../../errors.ts";
import { cvssScores, cvssSeverity } from "../../model/cvss/score.ts";
import { parseCvss } from "../../model/cvss/vector.ts";
import {
  isAbsent,
  itemsAt,
  type JsonPlace,
  memberAt,
  optionalItemsAt,
  optionalStringAt,
  stringAt,
} from "../../model/json-place.ts";
import type { Severity } from "../../model/severity.ts";
import { normalizeSeverity } from "../shared/vendor-severity.ts";

/** The severity of a vulnerability in one product. */
export interface ProductRating {
  /** The vector, or the word where there is no vector. */
  readonly severity?: string;
  readonly normalizedSeverity: Severity;
  /** Whether the vendor has found no impact on the product. */
  readonly isHarmless: boolean;
}

/** Finds the rating for a product id. */
export type RatingOf = (id: string) => ProductRating;

/** The kinds of scores, the newest first. */
const scoreKinds = ["cvss_v4", "cvss_v3", "cvss_v2"] as const;

/**
 * The ratings of a vulnerability by product. Red Hat's own word (the impact) is the normalized severity; the vector is kept as well.
 *
 * ```
 * scores  = [{ products: [id], cvss_v3?: { vectorString }, … }]
 * threats = [{ category: "impact", details: word, product_ids: [id] }]
 * ```
 */
export function readRatings(vulnerability: JsonPlace): RatingOf {
  const vectors = optionalItemsAt(memberAt(vulnerability, "scores")).flatMap((score) => {
    const text = vectorOf(score);
    return text === undefined ? [] : [{ text, ids: idsAt(memberAt(score, "products")) }];
  });
  const impacts = optionalItemsAt(memberAt(vulnerability, "threats"))
    .filter((threat) => memberAt(threat, "category").value === "impact")
    .map((threat) => ({ text: stringAt(memberAt(threat, "details")), ids: idsAt(memberAt(threat, "product_ids")) }));
  const known = new Map<string, ProductRating>();
  return (id) => {
    const vector = vectors.find(({ ids }) => ids?.has(id) ?? true)?.text;
    const impact = impacts.find(({ ids }) => ids?.has(id) ?? true)?.text;
    const key = `${vector}/${impact}`;
    const rating = known.get(key) ?? ratingOf(vector, impact);
    known.set(key, rating);
    return rating;
  };
}

function vectorOf(score: JsonPlace): string | undefined {
  for (const kind of scoreKinds) {
    const place = memberAt(score, kind);
    if (place.value !== undefined && place.value !== null) return optionalStringAt(memberAt(place, "vectorString"));
  }
  return undefined;
}

/** The product ids; undefined for all products, where none is named. */
function idsAt(place: JsonPlace): ReadonlySet<string> | undefined {
  return isAbsent(place) ? undefined : new Set(itemsAt(place).map(stringAt));
}

function ratingOf(vector: string | undefined, impact: string | undefined): ProductRating {
  const severity = vector ?? impact;
  const scored = vector === undefined ? undefined : scoreOf(vector);
  return {
    severity,
    normalizedSeverity: impact === undefined ? (scored?.severity ?? "Unknown") : normalizeSeverity("redhat", impact),
    isHarmless: impact === undefined && scored?.score === 0,
  };
}

/** The score of a vector; undefined for an invalid vector. */
function scoreOf(vector: string): { readonly score: number; readonly severity: Severity } | undefined {
  try {
    const cvss = parseCvss(vector);
    const score = cvssScores(cvss).overall;
    return { score, severity: cvssSeverity(score, cvss.version) };
  } catch (error) {
    if (error instanceof ScanError) return undefined;
    throw error;
  }
}
