import { byteAt } from "../bytes/byte-order.ts";

/** A 64-bit integer: a bigint where a number would not be exact. */
export type SqliteInteger = number | bigint;

/** A decoded variable-length integer and the offset of the next byte. */
export interface Varint {
  readonly value: SqliteInteger;
  readonly end: number;
}

/**
 * Decodes a variable-length integer.
 *
 * 1 to 9 bytes, most significant first: seven bits each while the top bit is set, all eight bits of the ninth; the
 * 64 bits are two's complement.
 * @see https://www.sqlite.org/fileformat2.html#varint
 * @throws ScanError `malformed_package_db` when the bytes end inside.
 */
export function decodeVarint(bytes: Uint8Array, offset: number): Varint {
  let value = 0;
  for (let index = 0; index < 7; index++) {
    const byte = byteAt(bytes, offset + index);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, end: offset + index + 1 };
  }
  return decodeLongVarint(bytes, offset + 7, BigInt(value));
}

/** The value as a number where that is exact. */
export function narrowInteger(value: bigint): SqliteInteger {
  const narrow = Number(value);
  return Number.isSafeInteger(narrow) ? narrow : value;
}

function decodeLongVarint(bytes: Uint8Array, offset: number, first49Bits: bigint): Varint {
  const eighth = byteAt(bytes, offset);
  const first56Bits = (first49Bits << 7n) | BigInt(eighth & 0x7f);
  if (eighth < 0x80) return { value: narrowInteger(first56Bits), end: offset + 1 };
  const value = BigInt.asIntN(64, (first56Bits << 8n) | BigInt(byteAt(bytes, offset + 1)));
  return { value: narrowInteger(value), end: offset + 2 };
}
