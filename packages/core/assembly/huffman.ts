/**
 * Builds decoding tables for canonical Huffman codes. The main table is indexed by the next bits of the stream; codes
 * that are longer continue in sub-tables behind it.
 *
 * @see https://www.rfc-editor.org/rfc/rfc1951#section-3.2.2
 */
import { EXCEPTIONAL, SUB_TABLE } from "./symbols";

const MAX_CODE_BITS: u32 = 15;

/** How many codes there are of each length; where the symbols of each length begin among the sorted ones. */
const counts = memory.data(16 * 4, 4);
const starts = memory.data(17 * 4, 4);
/** Symbols by length of their code, then by value: the order in which canonical codes are given. */
const sorted = memory.data(320 * 2, 4);

/**
 * Fills `table` (indexed by `tableBits` bits, `capacity` entries in all) for the codes whose lengths stand at `lengths`.
 * False when the lengths make no code. An incomplete code is only allowed with a single symbol, as zlib does.
 */
export function buildTable(
  table: usize,
  tableBits: u32,
  capacity: u32,
  lengths: usize,
  symbolCount: u32,
  symbols: usize,
): bool {
  const unused = countLengths(lengths, symbolCount);
  if (unused < 0) return false;
  sortSymbols(lengths, symbolCount);
  if (unused > 0) return fillIncomplete(table, tableBits, symbols);
  return fillComplete(table, tableBits, capacity, symbols);
}

/** Counts codes by length; returns how much of the code space is left, negative when there are too many codes. */
function countLengths(lengths: usize, symbolCount: u32): i32 {
  memory.fill(counts, 0, 16 * 4);
  for (let symbol: u32 = 0; symbol < symbolCount; symbol++) {
    const at = counts + ((<usize>load<u8>(lengths + symbol)) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
  store<u32>(counts, 0);
  let left: i32 = 1;
  for (let length: u32 = 1; length <= MAX_CODE_BITS; length++) {
    left = (left << 1) - <i32>countOf(length);
    if (left < 0) return -1;
  }
  return left;
}

function sortSymbols(lengths: usize, symbolCount: u32): void {
  store<u32>(starts + 4, 0);
  for (let length: u32 = 1; length <= MAX_CODE_BITS; length++) {
    store<u32>(starts + ((length + 1) << 2), load<u32>(starts + (length << 2)) + countOf(length));
  }
  for (let symbol: u32 = 0; symbol < symbolCount; symbol++) {
    const length = <usize>load<u8>(lengths + symbol);
    if (length === 0) continue;
    const at = starts + (length << 2);
    const place = load<u32>(at);
    store<u16>(sorted + (place << 1), <u16>symbol);
    store<u32>(at, place + 1);
  }
}

/** No code at all, or one of a single bit whose other half means nothing. */
function fillIncomplete(table: usize, tableBits: u32, symbols: usize): bool {
  let total: u32 = 0;
  for (let length: u32 = 1; length <= MAX_CODE_BITS; length++) total += countOf(length);
  if (total > 1 || (total === 1 && countOf(1) !== 1)) return false;
  const oneBit: u32 = 1 | (1 << 8);
  const nothing = EXCEPTIONAL | oneBit;
  const even = total === 1 ? symbolAt(symbols, 0) + oneBit : nothing;
  for (let index: u32 = 0; index < (<u32>1) << tableBits; index++) put(table, index, index & 1 ? nothing : even);
  return true;
}

/**
 * Goes through the codes from short to long. The table begins with one index bit and doubles with each further one, which
 * repeats the shorter codes; once it has all its bits, longer codes go to sub-tables.
 */
function fillComplete(table: usize, tableBits: u32, capacity: u32, symbols: usize): bool {
  const tableSize = (<u32>1) << tableBits;
  let code: u32 = 0; // with its first bit lowest, as it stands in the stream
  let index: u32 = 0;
  let end = tableSize; // of the tables so far
  let prefix: u32 = 0xffffffff; // of the current sub-table
  let start: u32 = 0;
  let bits: u32 = 0;
  for (let length: u32 = 1; length <= MAX_CODE_BITS; length++) {
    if (length > 1 && length <= tableBits) {
      const half = (<usize>2) << length; // in bytes
      memory.copy(table + half, table, half);
    }
    for (let left = countOf(length); left > 0; left--) {
      const symbol = symbolAt(symbols, index++);
      const current = code;
      code = nextCode(code, length);
      if (length <= tableBits) {
        put(table, current, symbol + length + (length << 8));
        continue;
      }
      if ((current & (tableSize - 1)) !== prefix) {
        prefix = current & (tableSize - 1);
        start = end;
        bits = subTableBits(length, left, tableBits);
        end += 1 << bits;
        if (end > capacity) return false;
        put(table, prefix, (start << 16) | EXCEPTIONAL | SUB_TABLE | (bits << 8) | tableBits);
      }
      spread(table + (start << 2), current >> tableBits, length - tableBits, (<u32>1) << bits, symbol);
    }
  }
  return true;
}

/** Adds one to a code whose first bit is lowest; the last code of all has none behind it. */
function nextCode(code: u32, length: u32): u32 {
  const zeros = ~code & (((<u32>1) << length) - 1);
  if (zeros === 0) return code;
  const bit = <u32>0x80000000 >> clz(zeros);
  return (code & (bit - 1)) | bit;
}

/** How many bits must index a sub-table that begins with a code of `length` bits, `left` of which are still to come. */
function subTableBits(length: u32, left: u32, tableBits: u32): u32 {
  let bits = length - tableBits;
  let room = left;
  for (let next = length + 1; room < (<u32>1) << bits && next <= MAX_CODE_BITS; next++) {
    bits++;
    room = (room << 1) + countOf(next);
  }
  return bits;
}

/** Puts a symbol at every index whose low `length` bits are its code. */
function spread(table: usize, code: u32, length: u32, tableSize: u32, symbol: u32): void {
  const entry = symbol + length + (length << 8);
  for (let index = code; index < tableSize; index += (<u32>1) << length) put(table, index, entry);
}

function countOf(length: u32): u32 {
  return load<u32>(counts + (length << 2));
}

function symbolAt(symbols: usize, index: u32): u32 {
  return load<u32>(symbols + ((<usize>load<u16>(sorted + (index << 1))) << 2));
}

function put(table: usize, index: u32, value: u32): void {
  store<u32>(table + ((<usize>index) << 2), value);
}
