import type { ByteParts } from "../../bytes/byte-parts.ts";
import { goAlignment, goMark } from "../../programs/build-marks.ts";
import type { ProgramPart } from "../../programs/program.ts";

/** Bytes that are read at once. */
const windowBytes = 1024 ** 2;
/** A program has one mark; a hostile file may have many. */
const maxMarks = 16;

/**
 * The offsets of marks of Go's build information in parts of a file. If parts overlap, at most twice the size of the file is searched.
 */
export function* findMarks(bytes: ByteParts, parts: readonly ProgramPart[]): Generator<number> {
  let leftBytes = 2 * bytes.length;
  let leftMarks = maxMarks;
  for (const { offset, sizeBytes } of parts) {
    const end = Math.min(offset + sizeBytes, bytes.length);
    for (let start = aligned(offset); start < end; start += windowBytes) {
      const window = bytes.subarray(start, Math.min(start + windowBytes, end));
      leftBytes -= window.length;
      for (const at of marksIn(window)) {
        yield start + at;
        if (--leftMarks === 0) return;
      }
      if (leftBytes <= 0) return;
    }
  }
}

function* marksIn(window: Uint8Array): Generator<number> {
  for (let at = 0; at + goMark.length <= window.length; at += goAlignment) {
    if (window[at] === goMark[0] && goMark.every((byte, index) => window[at + index] === byte)) yield at;
  }
}

function aligned(offset: number): number {
  return Math.ceil(offset / goAlignment) * goAlignment;
}
