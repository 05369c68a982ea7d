import type { ByteParts } from "../bytes/byte-parts.ts";
import { ScanError } from "../errors.ts";

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

/** Facts about an archive that are known before it is read. */
export interface Archive {
  /** For messages. */
  readonly location: string;
  readonly sizeBytes: number;
}

/** The error for bytes that are not a zip archive, or are a damaged one. */
export function malformedArchive({ location }: Archive, found: string): ScanError {
  return new ScanError("malformed_archive", `${location}: expected a zip archive, found ${found}`);
}

/** A view that reads numbers from bytes. */
export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
