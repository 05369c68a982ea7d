const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The text of a name. Names are bytes; those that are no UTF-8, and NUL, become `\xNN`, so that different names stay
 * different and every name can be stored and shown.
 */
export function decodeName(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) {
    if (byte === 0 || byte > 0x7f) return decodeOddName(bytes);
    text += String.fromCharCode(byte);
  }
  return text;
}

/** The text up to the first NUL of a field of fixed length. */
export function decodeField(block: Uint8Array, offset: number, length: number): string {
  let end = offset;
  while (end < offset + length && block[end] !== 0) end++;
  return decodeName(block.subarray(offset, end));
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
