/** One array with the content of all parts, in order. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  return joinInto(new Uint8Array(lengthOf(parts)), parts);
}

/** Joins byte arrays, in order. */
export type JoinBytes = (parts: readonly Uint8Array[]) => Uint8Array;

/** Joins as {@link concatBytes} does, into memory that it reuses: a result is valid until the next call. */
export function reusedJoin(): JoinBytes {
  let room = new Uint8Array(0);
  return (parts) => {
    const length = lengthOf(parts);
    if (length > room.length) room = new Uint8Array(2 ** Math.ceil(Math.log2(length)));
    return joinInto(room.subarray(0, length), parts);
  };
}

function lengthOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

function joinInto(whole: Uint8Array, parts: readonly Uint8Array[]): Uint8Array {
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
