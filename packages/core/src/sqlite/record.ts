import { byteAt, bytesAt } from "../bytes/byte-order.ts";
import { malformedPackageDb } from "../bytes/malformed-package-db.ts";
import { decodeVarint, narrowInteger, type SqliteInteger } from "./varint.ts";

/** A stored value. Undefined is NULL, which a table also stores in its INTEGER PRIMARY KEY column. */
export type SqliteValue = SqliteInteger | string | Uint8Array | undefined;

/** SQLite's own upper bound. @see https://www.sqlite.org/limits.html#max_column */
const maxColumns = 32767;
const integerBytes: readonly number[] = [0, 1, 2, 3, 4, 6, 8]; // by serial type

/**
 * Decodes a record: varint length of the header, a varint serial type for each column, then the values.
 *
 * ```text
 * serial type 0 NULL, 1…6 integers of 1, 2, 3, 4, 6, 8 bytes, 7 float, 8 and 9 the integers 0 and 1,
 *             even from 12 a blob of (n-12)/2 bytes, odd from 13 a text of (n-13)/2 bytes
 * ```
 *
 * Blobs are not copied.
 * @see https://www.sqlite.org/fileformat2.html#record_format
 * @throws ScanError `malformed_package_db`
 */
export function decodeRecord(record: Uint8Array, textEncoding: string): readonly SqliteValue[] {
  const values: SqliteValue[] = [];
  const header = decodeVarint(record, 0);
  const headerBytes = decodeLength(header.value);
  let body = headerBytes;
  for (let at = header.end; at < headerBytes; ) {
    if (values.length === maxColumns) throw malformedPackageDb(`expected at most ${maxColumns} columns in a record`);
    const type = decodeVarint(record, at);
    const serialType = decodeLength(type.value);
    const bytes = bytesAt(record, body, valueBytes(serialType));
    values.push(decodeValue(serialType, bytes, textEncoding));
    body += bytes.length;
    at = type.end;
  }
  return values;
}

/** A varint that is a length, as a number. @throws ScanError `malformed_package_db` when negative or not exact as a number */
export function decodeLength(value: SqliteInteger): number {
  if (typeof value === "bigint" || value < 0) throw malformedPackageDb(`expected a length, found ${value}`);
  return value;
}

function valueBytes(serialType: number): number {
  if (serialType >= 12) return Math.floor((serialType - 12) / 2);
  if (serialType === 10 || serialType === 11) throw malformedPackageDb(`found the reserved serial type ${serialType}`);
  return serialType === 7 ? 8 : (integerBytes[serialType] ?? 0);
}

function decodeValue(serialType: number, bytes: Uint8Array, textEncoding: string): SqliteValue {
  if (serialType >= 12) return serialType % 2 === 0 ? bytes : decoderOf(textEncoding).decode(bytes);
  if (serialType === 0) return undefined;
  if (serialType === 7) return viewOf(bytes).getFloat64(0);
  if (serialType >= 8) return serialType - 8;
  return bytes.length === 8 ? narrowInteger(viewOf(bytes).getBigInt64(0)) : decodeInteger(bytes);
}

/** Shared decoders: constructing one for each value would take longer than decoding it. */
const decoders = new Map(
  ["utf-8", "utf-16le", "utf-16be"].map((label) => [label, new TextDecoder(label, { ignoreBOM: true })]),
);

function decoderOf(textEncoding: string): TextDecoder {
  return decoders.get(textEncoding) ?? new TextDecoder(textEncoding, { ignoreBOM: true });
}

function decodeInteger(bytes: Uint8Array): number {
  let value = (byteAt(bytes, 0) << 24) >> 24; // the first byte carries the sign
  for (let index = 1; index < bytes.length; index++) value = value * 256 + byteAt(bytes, index);
  return value;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
