/**
 * The header of a gzip member.
 *
 *     1F 8B  method=8  flags  mtime(4)  extra-flags  os
 *     [ FEXTRA: length(2) bytes ] [ FNAME: text NUL ] [ FCOMMENT: text NUL ] [ FHCRC: crc(2) of all before ]
 *
 * @see https://www.rfc-editor.org/rfc/rfc1952#section-2.3
 */
import { ScanError } from "../errors.ts";

/** Receives the bytes of a header one at a time. Returns false when they do not begin with 1F 8B, else true after the last byte. */
export type HeaderParser = Generator<undefined, boolean, number>;

const deflate = 8;
const fixedBytes = 6; // mtime, extra flags, operating system
const flag = { headerCrc: 0x02, extra: 0x04, name: 0x08, comment: 0x10, reserved: 0xe0 };

/** A parser that is ready for the first byte. It throws ScanError `layer_corrupt`. */
export function parseGzipHeader(): HeaderParser {
  const parser = readHeader();
  parser.next();
  return parser;
}

function* readHeader(): HeaderParser {
  const crc = new HeaderCrc();
  if (crc.add(yield) !== 0x1f || crc.add(yield) !== 0x8b) return false;
  const method = crc.add(yield);
  if (method !== deflate) throw corrupt(`expected compression method 8, found ${method}`);
  const flags = crc.add(yield);
  if ((flags & flag.reserved) !== 0) throw corrupt(`reserved flags are set: ${flags}`);
  for (let left = fixedBytes; left > 0; left--) crc.add(yield);
  if (flags & flag.extra) {
    const low = crc.add(yield);
    const high = crc.add(yield);
    for (let left = low + 256 * high; left > 0; left--) crc.add(yield);
  }
  if (flags & flag.name) while (crc.add(yield) !== 0);
  if (flags & flag.comment) while (crc.add(yield) !== 0);
  if (flags & flag.headerCrc) {
    const expected = crc.low16;
    const low = yield;
    if (low + 256 * (yield) !== expected) throw corrupt("its CRC is wrong");
  }
  return true;
}

/** CRC-32 bit by bit: headers are short. */
class HeaderCrc {
  #state = 0xffffffff;

  add(byte: number): number {
    this.#state ^= byte;
    for (let bit = 0; bit < 8; bit++) this.#state = (this.#state >>> 1) ^ (this.#state & 1 ? 0xedb88320 : 0);
    return byte;
  }

  get low16(): number {
    return ~this.#state & 0xffff;
  }
}

function corrupt(what: string): ScanError {
  return new ScanError("layer_corrupt", `gzip header: ${what}`);
}
