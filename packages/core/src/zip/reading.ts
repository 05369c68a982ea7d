import type { ByteParts } from "../bytes/byte-parts.ts";

/** Bytes that are asked for. Fewer come only where the source ends. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** Work that asks for one range of bytes after the other, so that the same parser runs over bytes at hand and bytes that are fetched. */
export type Reading<Result> = Generator<ByteRange, Result, Uint8Array>;

/** Fetches the bytes of a range. */
export type ReadAt = (offset: number, length: number) => Promise<Uint8Array>;

/** Does the work with bytes that are fetched. */
export async function readFrom<Result>(readAt: ReadAt, reading: Reading<Result>): Promise<Result> {
  let step = reading.next();
  while (step.done !== true) {
    const { offset, length } = step.value;
    step = reading.next(await readAt(offset, length));
  }
  return step.value;
}

/** Does the work with bytes at hand. */
export function readParts<Result>(bytes: ByteParts, reading: Reading<Result>): Result {
  let step = reading.next();
  while (step.done !== true) {
    const { offset, length } = step.value;
    step = reading.next(bytes.subarray(offset, offset + length));
  }
  return step.value;
}
