import type { ByteParts } from "./byte-parts.ts";

/** Finds the occurrences of one text in bytes. */
export interface ByteFinder {
  /** Of the text, in bytes. */
  readonly length: number;
  /** The offset of the first occurrence at or after `from`; -1 where there is none. */
  find(bytes: Uint8Array, from?: number): number;
}

/**
 * A search for a text of one byte per character by the Boyer-Moore-Horspool algorithm, which skips most bytes. The worst case, a repetitive
 * text, is the number of bytes times the length of the text.
 * @param text at least one character, none above U+00FF
 * @see https://doi.org/10.1002/spe.4380100608
 * @example
 * const finder = byteFinder("BusyBox v");
 * finder.find(new TextEncoder().encode("the BusyBox v1.36.1")); // 4
 */
export function byteFinder(text: string): ByteFinder {
  const mark = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const { length } = mark;
  const shifts = new Uint16Array(256).fill(length);
  for (let at = 0; at < length - 1; at++) shifts[mark[at] ?? 0] = length - 1 - at;
  const final = mark[length - 1];
  return {
    length,
    find(bytes, from = 0) {
      const end = bytes.length;
      for (let last = from + length - 1; last < end; ) {
        const byte = bytes[last] ?? 0;
        if (byte === final && isAt(bytes, last - length + 1, mark)) return last - length + 1;
        last += shifts[byte] ?? length;
      }
      return -1;
    },
  };
}

/** Small enough that the memory of a block is used again for the next. */
const blockBytes = 64 * 1024;

/** The offsets of all occurrences of a text, in ascending order. Bytes outside memory are loaded block by block. */
export function* occurrencesIn(finder: ByteFinder, bytes: ByteParts): Generator<number> {
  const overlap = finder.length - 1;
  for (let start = 0; start < bytes.length; start += blockBytes) {
    const block = bytes.subarray(start, start + blockBytes + overlap);
    for (let at = finder.find(block); at >= 0; at = finder.find(block, at + 1)) yield start + at;
  }
}

/** Whether `bytes` contain `mark` at `start`. A loop instead of `every`, because this runs for each byte that could be the first. */
export function isAt(bytes: Uint8Array, start: number, mark: Uint8Array): boolean {
  for (let index = 0; index < mark.length; index++) if (bytes[start + index] !== mark[index]) return false;
  return true;
}
