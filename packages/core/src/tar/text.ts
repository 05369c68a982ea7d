const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Names up to here are put together from their bytes when they are ASCII, which is faster than a decoder. */
const maxShortBytes = 512;

/**
 * The text of a name. Names are bytes; those that are no UTF-8, and NUL, become `\xNN`, so that different names stay
 * different and every name can be stored and shown.
 */
export function decodeName(bytes: Uint8Array): string {
  if (bytes.length > maxShortBytes) return decodeOddName(bytes);
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === 0 || byte > 0x7f) return decodeOddName(bytes);
  }
  return String.fromCharCode.apply(undefined, bytes as unknown as number[]); // nearly all names; any array-like will do
}

/** The text up to the first NUL of a field of fixed length. */
export function decodeField(block: Uint8Array, offset: number, length: number): string {
  const nul = block.indexOf(0, offset);
  const end = nul < 0 ? offset + length : Math.min(nul, offset + length);
  return end === offset ? "" : decodeName(block.subarray(offset, end));
}

function decodeOddName(bytes: Uint8Array): string {
  const whole = decodeUtf8(bytes);
  if (whole !== undefined) return whole.replaceAll("\0", escapeByte(0));
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const character = bytes.subarray(at, at + sequenceLength(bytes[at] ?? 0));
    const decoded = character[0] === 0 ? undefined : decodeUtf8(character);
    text += decoded ?? escapeByte(bytes[at] ?? 0);
    at += decoded === undefined ? 1 : character.length;
  }
  return text;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** How many bytes the UTF-8 character has that this byte would begin. */
function sequenceLength(lead: number): number {
  if (lead < 0xc0) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

function escapeByte(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, "0")}`;
}
