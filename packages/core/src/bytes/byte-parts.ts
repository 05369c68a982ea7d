/** Bytes that can be read in parts, in memory or elsewhere. A `Uint8Array` is one. */
export interface ByteParts {
  readonly length: number;
  /** The bytes from `start` to before `end`, fewer where the bytes end. They do not change later. */
  subarray(start: number, end: number): Uint8Array;
}
