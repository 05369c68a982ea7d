import { isAt } from "../bytes/find-bytes.ts";
import type { BuildMark } from "../plugins/detector.ts";
import type { MarkPlaces } from "./mark-places.ts";

/**
 * Go's build information, which lies at a multiple of 16.
 * @see https://github.com/golang/go/blob/go1.23.0/src/debug/buildinfo/buildinfo.go
 */
export const goMark = bytesOf("\xff Go buildinf:");
/** What its offset is a multiple of. */
export const goAlignment = 16;

/**
 * The name of the section in which cargo-auditable lists what a Rust program is built from.
 * @see https://github.com/rust-secure-code/cargo-auditable/blob/master/PARSING.md
 */
const rustMark = bytesOf(".dep-v0\0");
/** Compared first: without the zero byte, of which executables are full. */
const rustWindow = rustMark.length - 1;
/** By the last byte of the window, how far the window may move on; 0 where the mark may begin (Boyer-Moore-Horspool). */
const rustShifts = Uint8Array.from({ length: 256 }, (_, byte) => {
  return rustWindow - 1 - rustMark.subarray(0, rustWindow).lastIndexOf(byte);
});

/** The length of the longest mark. */
export const markBytes = goMark.length;

/** Part of a file: where in the file its first byte lies, and where marks may stand. */
export interface FilePart {
  readonly bytes: Uint8Array;
  readonly offset: number;
  readonly places: MarkPlaces;
}

/** What an executable says that it is built by, where a mark of it lies whole in the part. */
export function findBuildMark(part: FilePart): BuildMark | undefined {
  if (hasGoMark(part)) return "go";
  return hasRustMark(part) ? "rust" : undefined;
}

function hasGoMark({ bytes, offset, places }: FilePart): boolean {
  const first = goMark[0];
  for (const range of places.go) {
    const from = Math.max(offset, range.from);
    const end = Math.min(bytes.length, range.to - offset);
    for (let at = Math.ceil(from / goAlignment) * goAlignment - offset; at < end; at += goAlignment) {
      if (bytes[at] === first && isAt(bytes, at, goMark)) return true;
    }
  }
  return false;
}

function hasRustMark({ bytes, offset, places }: FilePart): boolean {
  for (let last = Math.max(0, places.rustFrom - offset) + rustWindow - 1; last < bytes.length; ) {
    const shift = rustShifts[bytes[last] ?? 0] ?? 0;
    if (shift === 0 && isAt(bytes, last - rustWindow + 1, rustMark)) return true;
    last += shift || 1;
  }
  return false;
}

function bytesOf(latin1: string): Uint8Array {
  return Uint8Array.from(latin1, (letter) => letter.charCodeAt(0));
}
