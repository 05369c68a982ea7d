import { bestFirst } from "../enrichers/shared/best-first.ts";
import type { Advisory } from "../model/advisory.ts";
import { documentPlace, optionalItemsAt } from "../model/json-place.ts";
import type { Json } from "../model/json-value.ts";
import { parseRating, type Rater, type Rating, raters, scoreOfText } from "../model/rating.ts";
import { compareSeverity } from "../model/severity.ts";

/** The sources of the ratings of a vulnerability. */
export interface RatingSources {
  /** The advisory of the finding. */
  readonly advisory: Advisory;
  /** Other advisories for the same package about the same vulnerability and nothing else. */
  readonly others: readonly Advisory[];
  /** Ratings of an enricher, as it returned them. */
  readonly facts: Json | undefined;
}

/** All ratings of a vulnerability in the order of {@link raters}; the first is the most relevant. */
export function ratingsOf({ advisory, others, facts }: RatingSources): readonly Rating[] {
  const given = [
    ...ratingOf(advisory, "advisory"),
    ...others.flatMap((other) => ratingOf(other, isCollected(other) ? "ecosystem" : "distribution")),
    ...factsInOrder(optionalItemsAt(documentPlace(facts ?? [], "ratings", "malformed_report")).map(parseRating)),
  ];
  return given.toSorted((a, b) => raterRank(a) - raterRank(b));
}

/** Ratings of enrichers, the best first for each vulnerability; vulnerabilities in their given order. */
function factsInOrder(ratings: readonly Rating[]): readonly Rating[] {
  const byName = [...Map.groupBy(ratings, ({ name }) => name).values()];
  return byName.flatMap((of) =>
    bestFirst(of, ({ by, source, text = "" }) => ({ vector: text, rank: raters.indexOf(by), source })),
  );
}

/** All raters from the National Vulnerability Database on have one rank: ratings of enrichers keep their own order, which considers CVSS versions too. */
function raterRank({ by }: Rating): number {
  return Math.min(raters.indexOf(by), raters.indexOf("nvd"));
}

function ratingOf({ updater, name, severity, normalizedSeverity }: Advisory, by: Rater): readonly Rating[] {
  if (severity === undefined && normalizedSeverity === "Unknown") return [];
  const score = scoreOfText(severity);
  return [
    {
      by,
      source: updater,
      name,
      severity: normalizedSeverity,
      text: severity,
      score,
    },
  ];
}

/** OSV collects advisories of many sources. */
function isCollected({ updater }: Advisory): boolean {
  return updater === "osv";
}

/**
 * The rating that a report shows: the first one with a severity. Where only the National Vulnerability Database or later raters have one, and the
 * advisory is about several vulnerabilities, the rating of the most severe one.
 * @example
 * declare const vulnerability: Vulnerability;
 * const severity = shownRating(vulnerability.ratings ?? [])?.severity ?? "Unknown";
 */
export function shownRating(ratings: readonly Rating[]): Rating | undefined {
  const [first, ...rest] = ratings.filter(({ severity }) => severity !== "Unknown");
  if (first === undefined || raterRank(first) < raters.indexOf("nvd")) return first;
  const rated = new Set([first.name]);
  let worst = first;
  for (const rating of rest) {
    if (rated.has(rating.name)) continue;
    rated.add(rating.name);
    if (compareRatings(rating, worst) > 0) worst = rating;
  }
  return worst;
}

function compareRatings(a: Rating, b: Rating): number {
  return compareSeverity(a.severity, b.severity) || (a.score ?? 0) - (b.score ?? 0);
}
