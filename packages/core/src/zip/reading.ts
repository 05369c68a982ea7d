import type { ByteParts } from "../bytes/byte-parts.ts";

/** A range of requested bytes. The answer is shorter only where the source ends. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** A parser that requests ranges of bytes one after the other, so that it works on bytes in memory and on fetched bytes. */
export type Reading<Result> = Generator<ByteRange, Result, Uint8Array>;

/** Fetches the bytes of a range. */
export type ReadAt = (offset: number, length: number) => Promise<Uint8Array>;

/** Runs a parser on bytes that are fetched. */
export async function readFrom<Result>(readAt: ReadAt, reading: Reading<Result>): Promise<Result> {
  let step = reading.next();
  while (step.done !== true) {
    const { offset, length } = step.value;
    step = reading.next(await readAt(offset, length));
  }
  return step.value;
}

/** Runs a parser on bytes that are at hand. */
export function readParts<Result>(bytes: ByteParts, reading: Reading<Result>): Result {
  let step = reading.next();
  while (step.done !== true) {
    const { offset, length } = step.value;
    step = reading.next(bytes.subarray(offset, offset + length));
  }
  return step.value;
}
