import type { Bytes } from "../bytes/bytes.ts";
import { ScanError } from "../errors.ts";
import type { Decompress, DecompressOptions } from "../ports.ts";
import { compileInflater, Inflater } from "./inflater.ts";

/** Idle decoders kept for later streams; each holds about 520 KB. */
const maxIdle = 4;

/**
 * Makes a gzip decompressor that needs only WebAssembly. Several streams may run at the same time; each has its own decoder, and its
 * chunks are views of the decoder's memory. For verified streams only the lengths are checked, not the CRC-32.
 * @param options `crc32`: a faster CRC-32 than WebAssembly's, where the platform has one
 * @example
 * const response = await fetch("https://images.example.com/layer.tar.gz");
 * const gunzip = createGunzip();
 * if (response.body !== null) for await (const chunk of gunzip(response.body)) console.log(chunk.length);
 */
export function createGunzip({
  crc32,
}: {
  readonly crc32?: (bytes: Uint8Array, previous: number) => number;
} = {}): Decompress {
  const idle: Inflater[] = [];
  return async function* gunzip(source: Bytes, { isVerified = false }: DecompressOptions = {}): Bytes {
    const inflater = idle.pop() ?? new Inflater(compileInflater());
    inflater.reset();
    const checksum: Crc32 = crc32 ?? ((output, previous) => inflater.crc32(output, previous));
    const members = new GzipMembers(inflater, isVerified ? undefined : checksum);
    try {
      yield* decodeAll(source, inflater, members);
    } finally {
      if (idle.length < maxIdle) idle.push(inflater);
    }
  };
}

async function* decodeAll(source: Bytes, inflater: Inflater, members: GzipMembers): Bytes {
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; ) {
      at += inflater.add(chunk, at);
      yield* members.decode();
      if (members.isDone) return;
    }
  }
  inflater.endInput();
  yield* members.decode();
  members.end();
}

/** Extends a CRC-32: `previous` is that of all bytes before. */
type Crc32 = (bytes: Uint8Array, previous: number) => number;

type Phase = "content" | "done" | "header" | "trailer";

const trailerBytes = 8;

/**
 * A streaming decoder of gzip files: members one after the other, each with a header, a DEFLATE stream and a trailer.
 *
 *     file    = member *member *anything
 *     trailer = CRC-32(4) length(4)       of the content, little-endian, length modulo 2^32
 *
 * Bytes after a member that do not begin with 1F 8B end the file and are ignored, as gzip does: zeros are padding, and
 * anything else cannot change the content.
 */
export class GzipMembers {
  readonly #inflater: Inflater;
  readonly #crc32: Crc32 | undefined;
  #phase: Phase = "header";
  #header = parseGzipHeader();
  #headerBytes = 0;
  #members = 0;
  #crc = 0;
  #contentBytes = 0;

  /** Without a `crc32`, only lengths are compared; for contents that are verified in another way. */
  constructor(inflater: Inflater, crc32: Crc32 | undefined) {
    this.#inflater = inflater;
    this.#crc32 = crc32;
  }

  /** Whether the file has ended; further bytes of the source are ignored. */
  get isDone(): boolean {
    return this.#phase === "done";
  }

  /** Decodes the input added so far. @throws ScanError `layer_corrupt`, `layer_truncated` */
  *decode(): Iterable<Uint8Array> {
    for (;;) {
      if (this.#phase === "header" && !this.#readHeader()) return;
      if (this.#phase === "content") yield* this.#readContent();
      if (this.#phase === "content") return; // more input is needed
      if (this.#phase === "trailer" && !this.#readTrailer()) return;
      if (this.#phase === "done") return;
    }
  }

  /** Checks that the source did not end within a member. @throws ScanError `layer_truncated` */
  end(): void {
    if (this.#phase === "done") return;
    const isBetweenMembers = this.#phase === "header" && this.#members > 0 && this.#headerBytes < 2;
    if (!isBetweenMembers)
      throw new ScanError("layer_truncated", `gzip: the bytes end within a member's ${this.#phase}`);
  }

  /** Reads the header as far as the input goes; true when it is complete. */
  #readHeader(): boolean {
    for (const byte of this.#inflater.unread()) {
      this.#inflater.skip(1);
      this.#headerBytes++;
      const { done, value } = this.#header.next(byte);
      if (!done) continue;
      if (!value && this.#members === 0) throw new ScanError("layer_corrupt", "gzip: expected 1f 8b at the beginning");
      this.#startContent({ isMember: value });
      return true;
    }
    return false;
  }

  #startContent({ isMember }: { readonly isMember: boolean }): void {
    this.#phase = isMember ? "content" : "done";
    this.#crc = 0;
    this.#contentBytes = 0;
    if (isMember) this.#inflater.start();
  }

  *#readContent(): Iterable<Uint8Array> {
    for (let output = this.#inflater.inflate(); output.length > 0; output = this.#inflater.inflate()) {
      if (this.#crc32 !== undefined) this.#crc = this.#crc32(output, this.#crc);
      this.#contentBytes += output.length;
      yield output;
    }
    if (this.#inflater.isFinished) this.#phase = "trailer";
  }

  /** Reads and compares the trailer; false when the input does not hold all of it yet. */
  #readTrailer(): boolean {
    const unread = this.#inflater.unread();
    if (unread.length < trailerBytes) return false;
    const trailer = new DataView(unread.buffer, unread.byteOffset, trailerBytes);
    const hasCrc = this.#crc32 === undefined || trailer.getUint32(0, true) === this.#crc;
    const hasLength = trailer.getUint32(4, true) === this.#contentBytes >>> 0;
    if (!hasCrc || !hasLength)
      throw new ScanError("layer_corrupt", "gzip: the content does not have the CRC-32 and length stated");
    this.#inflater.skip(trailerBytes);
    this.#members++;
    this.#phase = "header";
    this.#header = parseGzipHeader();
    this.#headerBytes = 0;
    return true;
  }
}

/** Receives the bytes of a header one at a time. Returns false when they do not begin with 1F 8B, else true after the last byte. */
type HeaderParser = Generator<undefined, boolean, number>;

const deflate = 8;
const fixedBytes = 6; // mtime, extra flags, operating system
const flag = { headerCrc: 0x02, extra: 0x04, name: 0x08, comment: 0x10, reserved: 0xe0 };

/**
 * A parser of the header of a gzip member that is ready for the first byte. It throws ScanError `layer_corrupt`.
 *
 *     1F 8B  method=8  flags  mtime(4)  extra-flags  os
 *     [ FEXTRA: length(2) bytes ] [ FNAME: text NUL ] [ FCOMMENT: text NUL ] [ FHCRC: crc(2) of all before ]
 *
 * @see https://www.rfc-editor.org/rfc/rfc1952#section-2.3
 */
function parseGzipHeader(): HeaderParser {
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
