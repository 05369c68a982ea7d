import { type Order, orderOf } from "../define-order.ts";

/** A word of a Maven version, with its rank. */
export interface MavenQualifier {
  /** Words that Maven does not know have the highest rank. */
  readonly rank: number;
  /** The text of a word that Maven does not know, which orders such words; otherwise empty. */
  readonly unknown: string;
}

const ranks: ReadonlyMap<string, number> = new Map([
  ["alpha", 0],
  ["beta", 1],
  ["milestone", 2],
  ["rc", 3],
  ["cr", 3],
  ["snapshot", 4],
  ["ga", 5],
  ["final", 5],
  ["release", 5],
  ["sp", 6],
]);

const shortForms: ReadonlyMap<string, string> = new Map([
  ["a", "alpha"],
  ["b", "beta"],
  ["m", "milestone"],
]);

/** The qualifier of a word in lower case. */
export function qualifierOf(word: string): MavenQualifier {
  const rank = ranks.get(word);
  return rank === undefined ? { rank: 7, unknown: word } : { rank, unknown: "" };
}

/** The qualifier of a word that a number follows: there `a`, `b` and `m` are short for alpha, beta and milestone. */
export function numberedQualifierOf(word: string): MavenQualifier {
  return qualifierOf(shortForms.get(word) ?? word);
}

/** The qualifier of a version without one. */
export const releaseQualifier: MavenQualifier = qualifierOf("release");

/** Orders two qualifiers: `alpha < beta < milestone < rc < snapshot < release < sp < anything else`. */
export function compareQualifiers(a: MavenQualifier, b: MavenQualifier): Order {
  return orderOf(a.rank, b.rank) || orderOf(a.unknown, b.unknown);
}
