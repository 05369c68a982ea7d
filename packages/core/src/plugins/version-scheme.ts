/**
 * An order of versions. Sorting, ranges and maxima are free functions over it (`match/range.ts`).
 * `parse` throws ScanError `malformed_version`.
 */
export interface VersionScheme<V = unknown> {
  readonly name: string;
  parse(text: string): V;
  compare(a: V, b: V): -1 | 0 | 1;
  /**
   * The order of an installed version and one that a statement names: a bound of a range, a listed version, the version of a VEX statement.
   * Absent: `compare`. Other than `compare` where versions have parts that a statement about all of them leaves out.
   */
  compareStated?(installed: V, stated: V): -1 | 0 | 1;
}
