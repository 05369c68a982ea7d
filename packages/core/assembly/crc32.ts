/**
 * CRC-32 of the gzip format, eight bytes a step ("slicing"): one table look-up a byte, none waiting for another.
 *
 * @see https://www.rfc-editor.org/rfc/rfc1952#section-8
 */
const POLYNOMIAL: u32 = 0xedb88320;
const SLICES: u32 = 8;
const TABLE_BYTES: u32 = 256 * 4;

const tables = memory.data(8 * 256 * 4, 16);

/** Fills the tables: `tables[n][byte]` is the CRC of a byte and n zero bytes behind it. */
export function initCrc32(): void {
  for (let byte: u32 = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ POLYNOMIAL : crc >> 1;
    store<u32>(tables + (byte << 2), crc);
  }
  for (let slice: u32 = 1; slice < SLICES; slice++) {
    for (let byte: u32 = 0; byte < 256; byte++) {
      const previous = entry(slice - 1, byte);
      store<u32>(tables + slice * TABLE_BYTES + (byte << 2), (previous >> 8) ^ entry(0, previous & 255));
    }
  }
}

/** The CRC of bytes that follow others whose CRC is given; that of no bytes is 0. */
export function extendCrc32(crc: u32, start: usize, length: u32): u32 {
  let state = ~crc;
  let at = start;
  const end = start + length;
  for (; at + 8 <= end; at += 8) {
    const low = load<u32>(at) ^ state;
    const high = load<u32>(at, 4);
    state =
      entry(7, low & 255) ^
      entry(6, (low >> 8) & 255) ^
      entry(5, (low >> 16) & 255) ^
      entry(4, low >> 24) ^
      entry(3, high & 255) ^
      entry(2, (high >> 8) & 255) ^
      entry(1, (high >> 16) & 255) ^
      entry(0, high >> 24);
  }
  for (; at < end; at++) state = (state >> 8) ^ entry(0, (state ^ load<u8>(at)) & 255);
  return ~state;
}

function entry(slice: u32, byte: u32): u32 {
  return load<u32>(tables + slice * TABLE_BYTES + (byte << 2));
}
