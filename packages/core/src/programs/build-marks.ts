import { isAt } from "../bytes/find-bytes.ts";
import type { BuildMark } from "../plugins/detector.ts";
import type { MarkPlaces } from "./mark-places.ts";

/**
 * The beginning of Go's build information, whose offset is a multiple of 16.
 * @see https://github.com/golang/go/blob/go1.23.0/src/debug/buildinfo/buildinfo.go
 */
export const goMark = bytesOf("\xff Go buildinf:");
/** The alignment of {@link goMark}, in bytes. */
export const goAlignment = 16;

/**
 * The name of the section in which cargo-auditable lists the packages of a Rust program.
 * @see https://github.com/rust-secure-code/cargo-auditable/blob/master/PARSING.md
 */
const rustMark = bytesOf(".dep-v0\0");
/** The length of the mark without its zero byte: executables are full of zero bytes, so a search by the last byte would be slow. */
const rustWindow = rustMark.length - 1;
/** Shift of the search window, by the window's last byte (Boyer-Moore-Horspool); 0 where the mark may be. */
const rustShifts = Uint8Array.from({ length: 256 }, (_, byte) => {
  return rustWindow - 1 - rustMark.subarray(0, rustWindow).lastIndexOf(byte);
});

/** The length of the longest mark. */
export const markBytes = goMark.length;

/** Part of a file, with the places in the file where marks are searched. */
export interface FilePart {
  readonly bytes: Uint8Array;
  /** The offset of the first byte in the file. */
  readonly offset: number;
  readonly places: MarkPlaces;
}

/** The build mark that lies completely in the part, if any. */
export function findBuildMark(part: FilePart): BuildMark | undefined {
  if (hasGoMark(part)) return "go";
  return hasRustMark(part) ? "rust" : undefined;
}

function hasGoMark({ bytes, offset, places }: FilePart): boolean {
  for (const range of places.go) {
    const from = Math.ceil(Math.max(offset, range.from) / goAlignment) * goAlignment - offset;
    if (hasGoMarkBetween(bytes, from, Math.min(bytes.length, range.to - offset))) return true;
  }
  return false;
}

/** A function of its own: V8 compiles a loop within a loop again each time that it is left. */
function hasGoMarkBetween(bytes: Uint8Array, from: number, end: number): boolean {
  const first = goMark[0];
  for (let at = from; at < end; at += goAlignment) {
    if (bytes[at] === first && isAt(bytes, at, goMark)) return true;
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
