import { pureHasher } from "../bytes/pure-hasher.ts";
import { crc32 } from "../zip/crc32.ts";
import { malformedXz } from "./byte-cursor.ts";

/** Computes the checksum of a block's content. */
export interface ContentCheck {
  /** The size of the checksum in the file. */
  readonly sizeBytes: number;
  update(bytes: Uint8Array): void;
  /** The checksum in the byte order of the file, as lower-case hex digits. */
  hex(): string;
}

/** Starts a check by its number in the header. @throws ScanError `malformed_archive` for a check that xz does not write */
export function contentCheck(kind: number): ContentCheck {
  switch (kind) {
    case 0:
      return { sizeBytes: 0, update: () => {}, hex: () => "" };
    case 1:
      return crc32Check();
    case 4:
      return crc64Check();
    case 10:
      return { sizeBytes: 32, ...pureHasher("sha256") };
    default:
      throw malformedXz(`a check of the kind ${kind}`);
  }
}

function crc32Check(): ContentCheck {
  let crc = 0;
  return {
    sizeBytes: 4,
    update: (bytes) => {
      crc = crc32(bytes, crc);
    },
    hex: () => littleEndianHex([crc]),
  };
}

/** CRC-64 (polynomial 0x42f0e1eba9ea3693, reflected), in halves of 32 bits. */
function crc64Check(): ContentCheck {
  let low = ~0;
  let high = ~0;
  return {
    sizeBytes: 8,
    update: (bytes) => {
      for (const byte of bytes) {
        const index = (low ^ byte) & 0xff;
        low = ((low >>> 8) | (high << 24)) ^ (lowTable[index] as number);
        high = (high >>> 8) ^ (highTable[index] as number);
      }
    },
    hex: () => littleEndianHex([~low, ~high]),
  };
}

const table64 = Array.from({ length: 256 }, (_, byte) => {
  let low = byte;
  let high = 0;
  for (let bit = 0; bit < 8; bit++) {
    const isOdd = (low & 1) === 1;
    low = (low >>> 1) | (high << 31);
    high >>>= 1;
    if (isOdd) {
      low ^= 0xd7870f42;
      high ^= 0xc96c5795;
    }
  }
  return { low, high };
});
const lowTable = Int32Array.from(table64, ({ low }) => low);
const highTable = Int32Array.from(table64, ({ high }) => high);

function littleEndianHex(words: readonly number[]): string {
  return words.map((word) => hexOf([word, word >>> 8, word >>> 16, word >>> 24])).join("");
}

/** Lower-case hex digits of bytes. */
export function hexOf(bytes: Iterable<number>): string {
  return Array.from(bytes, (byte) => (byte & 0xff).toString(16).padStart(2, "0")).join("");
}
