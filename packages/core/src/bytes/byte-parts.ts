/** Bytes that can be read in parts, in memory or elsewhere. A `Uint8Array` is one. */
export interface ByteParts {
  readonly length: number;
  /** The bytes from `start` to before `end`, fewer where the bytes end. They do not change later. */
  subarray(start: number, end: number): Uint8Array;
}

/** A view of a part of the bytes, which may claim to be longer than they are. */
export function partOf(bytes: ByteParts, offset: number, length: number): ByteParts {
  const end = Math.max(0, Math.min(length, bytes.length - offset));
  return {
    length: end,
    subarray: (start, to) => bytes.subarray(offset + start, offset + Math.max(start, Math.min(to, end))),
  };
}
