const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** By the number of bytes, the smallest code point of a UTF-8 sequence; longer forms of smaller ones are invalid. */
const smallest = [0, 0, 0x80, 0x800, 0x10000];

/**
 * Decodes a name. Bytes that are not UTF-8, and NUL, become `\xNN`, so that different names stay different and every name
 * can be stored and shown.
 */
export function decodeName(bytes: Uint8Array): string {
  try {
    const text = utf8.decode(bytes);
    return text.includes("\0") ? text.replaceAll("\0", escapeByte(0)) : text;
  } catch {
    return decodeInvalid(bytes);
  }
}

/** The text up to the first NUL of a field of fixed length. */
export function decodeField(block: Uint8Array, offset: number, length: number): string {
  let end = offset; // `indexOf` of a typed array costs more than the few bytes of a name
  while (end < offset + length && block[end] !== 0) end++;
  return end === offset ? "" : decodeName(block.subarray(offset, end));
}

/** Decodes character by character: with the decoder, an exception for each invalid byte would make long names cost minutes. */
function decodeInvalid(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { codePoint, length } = decodeCharacter(bytes, at);
    parts.push(codePoint === undefined ? escapeByte(bytes[at] ?? 0) : String.fromCodePoint(codePoint));
    at += length;
  }
  return parts.join("");
}

/** The character at an offset; without a code point for an invalid byte, and for NUL. */
function decodeCharacter(
  bytes: Uint8Array,
  at: number,
): { readonly codePoint: number | undefined; readonly length: number } {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return { codePoint: lead === 0 ? undefined : lead, length: 1 };
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  let codePoint = lead & (0x7f >> length);
  for (let index = 1; index < length; index++) {
    const byte = bytes[at + index] ?? 0;
    if ((byte & 0xc0) !== 0x80) return { codePoint: undefined, length: 1 };
    codePoint = codePoint * 64 + (byte & 0x3f);
  }
  const isValid = lead >= 0xc2 && lead < 0xf5 && codePoint >= (smallest[length] ?? 0) && !isSurrogate(codePoint);
  return isValid && codePoint <= 0x10ffff ? { codePoint, length } : { codePoint: undefined, length: 1 };
}

function isSurrogate(codePoint: number): boolean {
  return codePoint >= 0xd800 && codePoint <= 0xdfff;
}

function escapeByte(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, "0")}`;
}
