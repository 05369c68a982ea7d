/**
 * An order of versions. Sorting, ranges and maxima are free functions over it (`match/range.ts`).
 * `parse` throws ScanError `malformed_version`.
 */
export interface VersionScheme<V = unknown> {
  readonly name: string;
  parse(text: string): V;
  compare(a: V, b: V): -1 | 0 | 1;
}
