/**
 * A streaming DEFLATE decoder with the CRC-32 of gzip, compiled to WebAssembly by `scripts/build-inflate.ts`.
 *
 * The host puts compressed bytes at `inputEnd()` and says so with `addInput`; `inflate` decodes until the input runs
 * short or the output is full and returns how many bytes stand at `outputStart()`, or an error below zero. Decoding is
 * done a 64-bit word at a time, after the technique of libdeflate: a decoding table gives literals, lengths and
 * distances with their extra bits in one look-up, and one refill of the bit buffer serves several symbols.
 *
 * All in one file, because it is one machine: the globals below are its registers.
 *
 * @see https://www.rfc-editor.org/rfc/rfc1951
 */
import { extendCrc32, initCrc32 } from "./crc32";
import { buildTable } from "./huffman";
import {
  distanceSymbols,
  END_OF_BLOCK,
  EXCEPTIONAL,
  initSymbols,
  LITERAL,
  lengthSymbols,
  literalSymbols,
  SUB_TABLE,
} from "./symbols";

// What `inflate` returns for a stream that is none; `core/src/inflate/inflater.ts` has the sentences.
const BAD_BLOCK_TYPE: i32 = -1;
const BAD_STORED_LENGTH: i32 = -2;
const BAD_CODE: i32 = -3;
const BAD_SYMBOL: i32 = -4;
const BAD_DISTANCE: i32 = -5;
const TRUNCATED: i32 = -6;

// What one step of it returns besides errors.
const PAUSE: i32 = 0;
const GO_ON: i32 = 1;
const BLOCK_ENDS: i32 = 2;

const INPUT_BYTES: u32 = 256 * 1024;
const HISTORY_BYTES: u32 = 32 * 1024;
/** Small enough to be still in the processor's cache when the caller reads the output. */
const OUTPUT_BYTES: u32 = 128 * 1024;

/** Bytes that may be read behind the input's end: whole words are loaded. Zeros once the input has ended. */
const INPUT_SLACK: u32 = 64;
/** Input that one turn of the decoding loop may need. */
const TURN_BYTES: u32 = 32;
/** Input that a block header may need: 3 + 14 + 19 × 3 + 320 × 14 bits, rounded up generously. */
const HEADER_BYTES: u32 = 1024;

const LITERAL_BITS: u32 = 11;
const DISTANCE_BITS: u32 = 8;
const LENGTH_BITS: u32 = 7;
const LITERAL_ENTRIES: u32 = 2400; // 2342 at most with 11 bits, 288 symbols and codes of 15 bits
const DISTANCE_ENTRIES: u32 = 600; // 402 at most with 8 bits and 32 symbols
const LENGTH_ENTRIES: u32 = 128;

const input = memory.data(256 * 1024 + 64, 16);
// The slack takes what one turn may write behind a full output: two literals and the longest match in whole vectors.
const output = memory.data(32 * 1024 + 128 * 1024 + 320, 16);
const literalTable = memory.data(2400 * 4, 16);
const distanceTable = memory.data(600 * 4, 16);
const lengthTable = memory.data(128 * 4, 16);
/** Output up to here: the longest turn still fits behind it. */
const outputLimit: usize = output + HISTORY_BYTES + OUTPUT_BYTES;
/** Code lengths of the alphabet of code lengths, and of literals and distances one behind the other. */
const lengthLengths = memory.data(19, 16);
const codeLengths = memory.data(320 + 32, 16);
/** The order in which lengths of the code-length alphabet are sent. */
const lengthOrder = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);

const BLOCK_HEADER: i32 = 0;
const SYMBOLS: i32 = 1;
const STORED: i32 = 2;
const FINISHED: i32 = 3;

let state: i32 = FINISHED;
let isLastBlock: bool = false;
let storedLeft: u32 = 0;

/** The next byte to load and the end of the input; bits that are loaded but not used. */
let position: usize = input;
let end: usize = input;
let hasEnded: bool = false;
let bits: u64 = 0;
let bitCount: u32 = 0;

let outputPosition: usize = output;
let firstOutput: usize = output;
/** Where the stream's own output begins, as far as it is still there: matches must not reach before. */
let historyStart: usize = output;

initSymbols();
initCrc32();

/** Starts a DEFLATE stream with the next byte of the input. */
export function start(): void {
  state = BLOCK_HEADER;
  bits = 0;
  bitCount = 0;
  historyStart = outputPosition;
}

/** Forgets all input. */
export function reset(): void {
  position = input;
  end = input;
  hasEnded = false;
  state = FINISHED;
}

/** Makes room for more input; where it goes. */
export function inputEnd(): usize {
  const unread = end - position;
  memory.copy(input, position, unread);
  position = input;
  end = input + unread;
  return end;
}

/** How many bytes may be put at `inputEnd()`. */
export function inputRoom(): u32 {
  return INPUT_BYTES - <u32>(end - input);
}

/** Says that bytes were put at `inputEnd()`. */
export function addInput(length: u32): void {
  end += length;
}

/** Says that no more input will come. */
export function endInput(): void {
  hasEnded = true;
  memory.fill(end, 0, INPUT_SLACK);
}

/** Where the unread input is: between streams it belongs to the host. */
export function unreadStart(): usize {
  return position;
}

export function unreadLength(): u32 {
  return <u32>(end - position);
}

/** Steps over unread input. */
export function skipInput(length: u32): void {
  position += length;
}

export function isFinished(): bool {
  return state === FINISHED;
}

/** Where the bytes of the last `inflate` are. */
export function outputStart(): usize {
  return firstOutput;
}

/** The CRC-32 of the last `length` bytes of output, behind bytes whose CRC is given. */
export function extendOutputCrc(crc: u32, length: u32): u32 {
  return extendCrc32(crc, firstOutput, length);
}

/** Decodes as much as input and output allow. Returns the number of bytes, or an error below zero. */
export function inflate(): i32 {
  if (outputPosition >= outputLimit) slideOutput();
  firstOutput = outputPosition;
  let result = GO_ON;
  while (result === GO_ON) result = step();
  if (result < 0) return result;
  if (hasEnded && position > end) return TRUNCATED;
  return <i32>(outputPosition - firstOutput);
}

/** Keeps the history that matches may reach back to, at the front of the output. */
function slideOutput(): void {
  const distance = outputPosition - output - HISTORY_BYTES;
  memory.copy(output, output + distance, HISTORY_BYTES);
  outputPosition -= distance;
  historyStart = historyStart > output + distance ? historyStart - distance : output;
}

function step(): i32 {
  if (state === SYMBOLS) return decodeSymbols();
  if (state === BLOCK_HEADER) return readBlockHeader();
  if (state === STORED) return copyStored();
  return PAUSE;
}

function endBlock(): void {
  state = isLastBlock ? FINISHED : BLOCK_HEADER;
  if (isLastBlock) bits = bitCount = 0; // the rest of the last byte is padding
}

function readBlockHeader(): i32 {
  if (!hasEnded && end - position < HEADER_BYTES) return PAUSE;
  refill();
  isLastBlock = take(1) === 1;
  const type = take(2);
  let result = BAD_BLOCK_TYPE;
  if (type === 0) result = startStored();
  else if (type === 1) result = startFixed();
  else if (type === 2) result = startDynamic();
  giveBack();
  return hasEnded && position > end ? TRUNCATED : result;
}

function startStored(): i32 {
  take(bitCount & 7); // to the next whole byte
  refill();
  const length = take(16);
  if (take(16) !== (length ^ 0xffff)) return BAD_STORED_LENGTH;
  storedLeft = length;
  state = STORED;
  return GO_ON;
}

function copyStored(): i32 {
  const room = outputLimit > outputPosition ? <u32>(outputLimit - outputPosition) : 0;
  const available = <u32>(end - position);
  const length = min(storedLeft, min(available, room));
  memory.copy(outputPosition, position, length);
  outputPosition += length;
  position += length;
  storedLeft -= length;
  if (storedLeft === 0) endBlock();
  else if (hasEnded && length === available) return TRUNCATED;
  else return PAUSE;
  return GO_ON;
}

function startFixed(): i32 {
  memory.fill(codeLengths, 8, 144);
  memory.fill(codeLengths + 144, 9, 112);
  memory.fill(codeLengths + 256, 7, 24);
  memory.fill(codeLengths + 280, 8, 8);
  memory.fill(codeLengths + 288, 5, 32);
  return buildTables(288, 32);
}

function startDynamic(): i32 {
  const literals = take(5) + 257;
  const distances = take(5) + 1;
  const lengths = take(4) + 4;
  memory.fill(lengthLengths, 0, 19);
  for (let index: u32 = 0; index < lengths; index++) {
    refill();
    store<u8>(lengthLengths + load<u8>(lengthOrder + index), <u8>take(3));
  }
  if (!buildTable(lengthTable, LENGTH_BITS, LENGTH_ENTRIES, lengthLengths, 19, lengthSymbols)) return BAD_CODE;
  const result = readCodeLengths(literals + distances);
  return result === GO_ON ? buildTables(literals, distances) : result;
}

function readCodeLengths(total: u32): i32 {
  for (let index: u32 = 0; index < total; ) {
    if (hasEnded && position > end + 8) return TRUNCATED;
    refill();
    const entry = load<u32>(lengthTable + ((<usize>(bits & ((1 << LENGTH_BITS) - 1))) << 2));
    if (entry & EXCEPTIONAL) return BAD_CODE;
    take(entry & 255);
    const symbol = entry >> 16;
    if (symbol < 16) {
      store<u8>(codeLengths + index++, <u8>symbol);
      continue;
    }
    if (symbol === 16 && index === 0) return BAD_CODE;
    const value = symbol === 16 ? load<u8>(codeLengths + index - 1) : 0;
    const repeat = symbol === 16 ? 3 + take(2) : symbol === 17 ? 3 + take(3) : 11 + take(7);
    if (index + repeat > total) return BAD_CODE;
    memory.fill(codeLengths + index, value, repeat);
    index += repeat;
  }
  return GO_ON;
}

function buildTables(literals: u32, distances: u32): i32 {
  const isGood =
    buildTable(literalTable, LITERAL_BITS, LITERAL_ENTRIES, codeLengths, literals, literalSymbols) &&
    buildTable(distanceTable, DISTANCE_BITS, DISTANCE_ENTRIES, codeLengths + literals, distances, distanceSymbols);
  if (isGood) state = SYMBOLS;
  return isGood ? GO_ON : BAD_CODE;
}

/** Fills the bit buffer to at least 56 bits. */
function refill(): void {
  bits |= load<u64>(position) << bitCount;
  position += (63 - bitCount) >> 3;
  bitCount |= 56;
}

function take(count: u32): u32 {
  const value = <u32>bits & ((1 << count) - 1);
  bits >>= count;
  bitCount -= count;
  return value;
}

/** Unloads whole bytes of the bit buffer, so that `position` is the first byte that is not used up. */
function giveBack(): void {
  position -= bitCount >> 3;
  bitCount &= 7;
  bits &= ((<u64>1) << bitCount) - 1;
}

/**
 * Decodes symbols of a block: the hot loop, and therefore one function. The bit buffer and both positions are locals
 * (globals are memory to the compiler); they are written back at the end.
 *
 * One turn takes up to three literals, or two and a match. With at least 56 bits in the buffer three codes of 15 bits
 * fit; a distance with its extra bits (28) may need a second refill.
 *
 * Shifts only look at the low six bits of their count, and no entry drops more than 28 bits: so entries are shifted by
 * and subtracted whole, and only the low byte of `count` means anything until the end.
 */
function decodeSymbols(): i32 {
  let at = position;
  let to = outputPosition;
  let buffer = bits;
  let count = bitCount;
  let result = PAUSE;
  const inputLimit = hasEnded ? end + 8 : end > input + TURN_BYTES ? end - TURN_BYTES : input;
  while (at < inputLimit && to < outputLimit) {
    buffer |= load<u64>(at) << count;
    at += 7 - ((count >> 3) & 7);
    count |= 56;

    let entry = literalEntry(buffer);
    if (entry & LITERAL) {
      buffer >>= entry;
      count -= entry;
      store<u8>(to++, <u8>(entry >> 16));
      entry = literalEntry(buffer);
      if (entry & LITERAL) {
        buffer >>= entry;
        count -= entry;
        store<u8>(to++, <u8>(entry >> 16));
        entry = literalEntry(buffer);
        if (entry & LITERAL) {
          buffer >>= entry;
          count -= entry;
          store<u8>(to++, <u8>(entry >> 16));
          continue;
        }
      }
    }
    if (entry & EXCEPTIONAL) {
      if (entry & SUB_TABLE) {
        buffer >>= LITERAL_BITS;
        count -= LITERAL_BITS;
        entry = subEntry(literalTable, entry, buffer);
        if (entry & LITERAL) {
          buffer >>= entry;
          count -= entry;
          store<u8>(to++, <u8>(entry >> 16));
          continue;
        }
      }
      if (entry & EXCEPTIONAL) {
        if (entry & END_OF_BLOCK) {
          buffer >>= entry;
          count -= entry;
          result = BLOCK_ENDS;
        } else {
          result = BAD_SYMBOL;
        }
        break;
      }
    }
    const length = baseAndExtra(entry, buffer);
    buffer >>= entry;
    count -= entry;

    if ((count & 255) < 33) {
      buffer |= load<u64>(at) << count;
      at += 7 - ((count >> 3) & 7);
      count |= 56;
    }
    entry = load<u32>(distanceTable + ((<usize>(buffer & ((1 << DISTANCE_BITS) - 1))) << 2));
    if (entry & EXCEPTIONAL) {
      if (entry & SUB_TABLE) {
        buffer >>= DISTANCE_BITS;
        count -= DISTANCE_BITS;
        entry = subEntry(distanceTable, entry, buffer);
      }
      if (entry & EXCEPTIONAL) {
        result = BAD_SYMBOL;
        break;
      }
    }
    const distance = baseAndExtra(entry, buffer);
    buffer >>= entry;
    count -= entry;
    if (distance > <u32>(to - historyStart)) {
      result = BAD_DISTANCE;
      break;
    }
    copyMatch(to, distance, to + length);
    to += length;
  }
  count &= 63;
  position = at;
  bits = buffer;
  bitCount = count;
  giveBack();
  outputPosition = to;
  if (result !== BLOCK_ENDS) return hasEnded && position > end ? TRUNCATED : result;
  endBlock();
  return GO_ON;
}

function literalEntry(buffer: u64): u32 {
  return load<u32>(literalTable + ((<usize>(buffer & ((1 << LITERAL_BITS) - 1))) << 2));
}

function subEntry(table: usize, entry: u32, buffer: u64): u32 {
  const index = <u32>buffer & (((<u32>1) << ((entry >> 8) & 15)) - 1);
  return load<u32>(table + (((entry >> 16) + index) << 2));
}

/** A length or a distance: its base and its extra bits, which stand behind its code. */
function baseAndExtra(entry: u32, buffer: u64): u32 {
  const withExtraBits = <u32>(buffer & (((<u64>1) << entry) - 1));
  return (entry >> 16) + (withExtraBits >> (entry >> 8));
}

/** Copies what stands `distance` bytes before `to`, in units no longer than that; may write behind `until`. */
function copyMatch(to: usize, distance: u32, until: usize): void {
  let from = to - distance;
  if (distance >= 16) {
    v128.store(to, v128.load(from));
    v128.store(to, v128.load(from, 16), 16);
    to += 32;
    while (to < until) {
      from += 32;
      v128.store(to, v128.load(from));
      v128.store(to, v128.load(from, 16), 16);
      to += 32;
    }
  } else if (distance >= 8) {
    do {
      store<u64>(to, load<u64>(from));
      to += 8;
      from += 8;
    } while (to < until);
  } else if (distance === 1) {
    const run = i8x16.splat(load<u8>(from));
    do {
      v128.store(to, run);
      to += 16;
    } while (to < until);
  } else {
    do {
      store<u8>(to++, load<u8>(from++));
    } while (to < until);
  }
}
