const latin1 = new TextDecoder("latin1");

/** Longer names are cut: no detector looks for a section with such a name. */
const maxNameBytes = 256;

/** The text from `start` to the next zero byte or the end of the bytes, cut after 256 bytes. */
export function nameIn(bytes: Uint8Array, start: number): string {
  const room = bytes.subarray(start, start + maxNameBytes);
  const end = room.indexOf(0);
  return latin1.decode(end < 0 ? room : room.subarray(0, end));
}
