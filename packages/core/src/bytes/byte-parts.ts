/** Bytes of which parts can be had, wherever they are kept. An array is that too. */
export interface ByteParts {
  readonly length: number;
  /** The bytes from `start` to before `end`, fewer where the bytes end. They are not changed later. */
  subarray(start: number, end: number): Uint8Array;
}
