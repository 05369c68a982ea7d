/**
 * The number in a header field; undefined when it is not a number, negative, or too large for a safe integer.
 *
 *     field   = octal | base256
 *     octal   = *(SP / NUL) *("0"…"7") [ (SP / NUL) *anything ]     empty is 0
 *     base256 = big-endian two's complement, marked by the top bit of its first byte
 *
 * @see https://www.gnu.org/software/tar/manual/html_node/Extensions.html
 */
export function readNumber(block: Uint8Array, offset: number, length: number): number | undefined {
  const isBase256 = ((block[offset] ?? 0) & 0x80) !== 0;
  return isBase256 ? readBase256(block, offset, offset + length) : readOctal(block, offset, offset + length);
}

function readOctal(block: Uint8Array, start: number, end: number): number | undefined {
  let at = start;
  while (at < end && isPadding(block[at])) at++;
  let value = 0;
  for (; at < end; at++) {
    const digit = (block[at] ?? 0) - 0x30;
    if (digit < 0 || digit > 7) return isPadding(block[at]) ? value : undefined;
    value = value * 8 + digit;
  }
  return value;
}

function readBase256(block: Uint8Array, start: number, end: number): number | undefined {
  const isNegative = ((block[start] ?? 0) & 0x40) !== 0;
  if (isNegative) return undefined;
  let value = (block[start] ?? 0) & 0x3f;
  for (let at = start + 1; at < end; at++) {
    value = value * 256 + (block[at] ?? 0);
    if (value > Number.MAX_SAFE_INTEGER) return undefined;
  }
  return value;
}

function isPadding(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0;
}

/** A decimal number of a pax record or a sparse map; undefined when it is not a number or too large to be exact. */
export function readDecimal(text: string): number | undefined {
  if (!/^[0-9]{1,16}$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}
