/** The beginnings of vectors, most common version first. */
const versions = ["CVSS:3.1/", "CVSS:3.0/", "CVSS:4.0/", "AV:"];

/** The sort key of a score. */
export interface ScoreKey {
  readonly vector: string;
  /** The rank of the source; lower ranks come first. */
  readonly rank: number;
  readonly source: string;
}

/**
 * Sorts the scores of one vulnerability, best first. The criteria, in this order: versions 3 and 4 before version 2, which has no "Critical"; the
 * rank of the source; 3.1, 3.0, 4.0; the name of the source.
 */
export function bestFirst<Score>(scores: readonly Score[], keyOf: (score: Score) => ScoreKey): readonly Score[] {
  const keyed = scores.map((score) => ({ score, ...keyOf(score) }));
  const sorted = keyed.toSorted(
    (a, b) =>
      Number(isVersion2(a.vector)) - Number(isVersion2(b.vector)) ||
      a.rank - b.rank ||
      versionRank(a.vector) - versionRank(b.vector) ||
      (a.source < b.source ? -1 : Number(a.source > b.source)),
  );
  return sorted.map(({ score }) => score);
}

function isVersion2(vector: string): boolean {
  return versionRank(vector) === versions.length - 1;
}

function versionRank(vector: string): number {
  return versions.findIndex((beginning) => vector.startsWith(beginning));
}
