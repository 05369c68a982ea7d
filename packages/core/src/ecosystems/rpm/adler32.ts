const modulus = 65521;
/** The largest number of bytes whose sums are exact 32-bit integers. */
const chunkBytes = 5552;

/**
 * The Adler-32 checksum of bytes.
 * @see https://www.rfc-editor.org/rfc/rfc1950#section-9
 */
export function adler32(bytes: Uint8Array): number {
  let low = 1;
  let high = 0;
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    for (const byte of bytes.subarray(start, start + chunkBytes)) {
      low += byte;
      high += low;
    }
    low %= modulus;
    high %= modulus;
  }
  return high * 65536 + low;
}
