import type { ScanError } from "../errors.ts";
import type { ByteParts } from "./byte-parts.ts";
import { malformedPackageDb } from "./malformed-package-db.ts";

/** Reads unsigned numbers from untrusted bytes. An offset outside of them throws ScanError `malformed_package_db`. */
export interface ByteOrder {
  u16(bytes: Uint8Array, offset: number): number;
  u32(bytes: Uint8Array, offset: number): number;
  /** Above 2^53 the nearest number that JavaScript can represent. */
  u64(bytes: Uint8Array, offset: number): number;
}

/** Least significant byte first. */
export const littleEndian: ByteOrder = {
  u16: (bytes, at) => byteAt(bytes, at) | (byteAt(bytes, at + 1) << 8),
  u32: (bytes, at) => (littleEndian.u16(bytes, at) | (littleEndian.u16(bytes, at + 2) << 16)) >>> 0,
  u64: (bytes, at) => littleEndian.u32(bytes, at) + littleEndian.u32(bytes, at + 4) * 2 ** 32,
};

/** Most significant byte first: network order. */
export const bigEndian: ByteOrder = {
  u16: (bytes, at) => (byteAt(bytes, at) << 8) | byteAt(bytes, at + 1),
  u32: (bytes, at) => ((bigEndian.u16(bytes, at) << 16) | bigEndian.u16(bytes, at + 2)) >>> 0,
  u64: (bytes, at) => bigEndian.u32(bytes, at) * 2 ** 32 + bigEndian.u32(bytes, at + 4),
};

/**
 * The byte at an offset.
 * @throws ScanError `malformed_package_db` when there is none.
 */
export function byteAt(bytes: Uint8Array, offset: number): number {
  const byte = bytes[offset];
  if (byte === undefined) throw outside(bytes, offset, 1);
  return byte;
}

/**
 * The `length` bytes at an offset, not copied.
 * @throws ScanError `malformed_package_db` when they are not all there.
 */
export function bytesAt(bytes: ByteParts, offset: number, length: number): Uint8Array {
  if (offset < 0 || length < 0 || offset + length > bytes.length) throw outside(bytes, offset, length);
  return bytes.subarray(offset, offset + length);
}

function outside(bytes: ByteParts, offset: number, length: number): ScanError {
  return malformedPackageDb(`expected ${length} bytes at offset ${offset}, found ${bytes.length} bytes in all`);
}
