const latin1 = new TextDecoder("latin1");

/** No section that is looked for has a longer name. */
const maxNameBytes = 256;

/** The text that begins at a place and ends before a zero byte, at the latest at the end of the bytes. */
export function nameIn(bytes: Uint8Array, start: number): string {
  const room = bytes.subarray(start, start + maxNameBytes);
  const end = room.indexOf(0);
  return latin1.decode(end < 0 ? room : room.subarray(0, end));
}
