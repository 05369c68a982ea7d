/** One array with the content of all parts, in order. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Joins the parts of something, in order. */
export type JoinBytes = (parts: readonly Uint8Array[]) => Uint8Array;

/** Joins as {@link concatBytes} does, into memory that it uses again: what it gives is there until it is called the next time. */
export function reusedJoin(): JoinBytes {
  let room = new Uint8Array(0);
  return (parts) => {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    if (length > room.length) room = new Uint8Array(2 ** Math.ceil(Math.log2(length)));
    let offset = 0;
    for (const part of parts) {
      room.set(part, offset);
      offset += part.length;
    }
    return room.subarray(0, length);
  };
}
