/**
 * The number stored in a header field, or undefined when the field holds none that fits a safe non-negative integer.
 *
 *     field   = octal | base256
 *     octal   = *(SP / NUL) *("0"…"7") [ (SP / NUL) *anything ]     empty is 0
 *     base256 = big-endian two's complement, marked by the top bit of its first byte
 *
 * @see https://www.gnu.org/software/tar/manual/html_node/Extensions.html
 */
export function readNumber(block: Uint8Array, offset: number, length: number): number | undefined {
  const field = block.subarray(offset, offset + length);
  return ((field[0] ?? 0) & 0x80) === 0 ? readOctal(field) : readBase256(field);
}

function readOctal(field: Uint8Array): number | undefined {
  let at = 0;
  while (at < field.length && isPadding(field[at])) at++;
  let value = 0;
  for (; at < field.length; at++) {
    const digit = (field[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 7) return isPadding(field[at]) ? value : undefined;
    value = value * 8 + digit;
  }
  return value;
}

function readBase256(field: Uint8Array): number | undefined {
  const isNegative = ((field[0] ?? 0) & 0x40) !== 0;
  if (isNegative) return undefined;
  let value = (field[0] ?? 0) & 0x3f;
  for (const byte of field.subarray(1)) {
    value = value * 256 + byte;
    if (value > Number.MAX_SAFE_INTEGER) return undefined;
  }
  return value;
}

function isPadding(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0;
}

/** A decimal number of a pax record or a sparse map, or undefined when it is none or too large to be exact. */
export function readDecimal(text: string): number | undefined {
  if (!/^[0-9]{1,16}$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}
