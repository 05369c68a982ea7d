/**
 * Entries of decoding tables, 32 bits each. What an entry says of its symbol is known before any code is: tables of the
 * symbols are made once, and a decoding table adds the length of the code to them.
 *
 *     bits  0–7   bits to drop: those of the code and the extra bits behind it
 *     bits  8–11  bits of the code alone; for a sub-table the number of bits that index it
 *     bit   13    end of block
 *     bit   14    sub-table: bits 16–31 are where it starts
 *     bit   15    exceptional: end of block, sub-table or a code that means nothing
 *     bits 16–30  base of the length or distance, or the literal byte
 *     bit   31    literal
 *
 * @see https://www.rfc-editor.org/rfc/rfc1951#section-3.2.5
 */
export const LITERAL: u32 = 1 << 31;
export const EXCEPTIONAL: u32 = 1 << 15;
export const SUB_TABLE: u32 = 1 << 14;
export const END_OF_BLOCK: u32 = 1 << 13;

export const LITERAL_SYMBOLS: u32 = 288;
export const DISTANCE_SYMBOLS: u32 = 32;
export const LENGTH_SYMBOLS: u32 = 19;

const END_SYMBOL: u32 = 256;
const LAST_LENGTH_SYMBOL: u32 = 285;
const LAST_DISTANCE_SYMBOL: u32 = 29;

const lengthBases = memory.data<u16>([
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
]);
const lengthExtraBits = memory.data<u8>([
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
]);
const distanceBases = memory.data<u16>([
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
  8193, 12289, 16385, 24577,
]);
const distanceExtraBits = memory.data<u8>([
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
]);

/** What each symbol of the three alphabets means. */
export const literalSymbols = memory.data(288 * 4, 4);
export const distanceSymbols = memory.data(32 * 4, 4);
export const lengthSymbols = memory.data(19 * 4, 4);

/** Fills the tables of symbols. */
export function initSymbols(): void {
  for (let symbol: u32 = 0; symbol < END_SYMBOL; symbol++) put(literalSymbols, symbol, LITERAL | (symbol << 16));
  put(literalSymbols, END_SYMBOL, EXCEPTIONAL | END_OF_BLOCK);
  for (let symbol = END_SYMBOL + 1; symbol < LITERAL_SYMBOLS; symbol++) {
    const index = symbol - END_SYMBOL - 1;
    put(literalSymbols, symbol, symbol > LAST_LENGTH_SYMBOL ? EXCEPTIONAL : based(lengthBases, lengthExtraBits, index));
  }
  for (let symbol: u32 = 0; symbol < DISTANCE_SYMBOLS; symbol++) {
    const isUsed = symbol <= LAST_DISTANCE_SYMBOL;
    put(distanceSymbols, symbol, isUsed ? based(distanceBases, distanceExtraBits, symbol) : EXCEPTIONAL);
  }
  for (let symbol: u32 = 0; symbol < LENGTH_SYMBOLS; symbol++) put(lengthSymbols, symbol, symbol << 16);
}

function based(bases: usize, extraBits: usize, index: u32): u32 {
  return ((<u32>load<u16>(bases + ((<usize>index) << 1))) << 16) | load<u8>(extraBits + index);
}

function put(table: usize, index: u32, value: u32): void {
  store<u32>(table + ((<usize>index) << 2), value);
}
