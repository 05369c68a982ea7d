import type { ByteParts } from "../../bytes/byte-parts.ts";
import { byteFinder } from "../../bytes/find-bytes.ts";
import type { VersionMark } from "./known-program.ts";

/** Bytes that are searched at once. */
const windowBytes = 1024 ** 2;
/** Bytes before or behind a mark that are read. No mark is longer. */
const contextBytes = 96;
/** Bytes of the previous window that are searched again. So each mark is once in a window with all that stands around it. */
const overlapBytes = 3 * contextBytes;
/** A text that is there more often is no mark: a file may be made of nothing else. */
const maxHits = 100_000;

/**
 * The version that a file says it is, by the first mark of the first window that has one; undefined where none of the marks tells. No more
 * than one window is in memory, and time is in proportion to the file.
 * @param nameVersion what `{name}` stands for in marks
 */
export function findVersion(bytes: ByteParts, marks: readonly VersionMark[], nameVersion = ""): string | undefined {
  const searches = marks.map((mark) => searchFor(mark, nameVersion));
  for (let start = 0; start < bytes.length; start += windowBytes) {
    const from = Math.max(0, start - overlapBytes);
    const end = Math.min(bytes.length, start + windowBytes);
    const window = { bytes: bytes.subarray(from, end), isFirst: from === 0, isLast: end === bytes.length };
    for (const search of searches) {
      const version = search(window);
      if (version !== undefined) return version;
    }
  }
  return undefined;
}

/** A part of a file. */
interface Window {
  readonly bytes: Uint8Array;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Looks for a mark in one window after the other. */
function searchFor({ text, begins = "", before, after }: VersionMark, nameVersion: string) {
  const finder = byteFinder(text.replaceAll("{name}", nameVersion));
  const begun = begins.replaceAll("{name}", nameVersion);
  let leftHits = maxHits;
  return ({ bytes, isFirst, isLast }: Window): string | undefined => {
    for (let at = finder.find(bytes); at >= 0; at = finder.find(bytes, at + 1)) {
      if (leftHits-- <= 0) return undefined;
      const [from, end] = [at - contextBytes, at + finder.length];
      const isWhole = (isFirst || from >= 0) && (isLast || end + contextBytes <= bytes.length);
      const behind = isWhole ? (after ?? empty).exec(textOf(bytes, end, end + contextBytes)) : null;
      const ahead = behind === null ? null : (before ?? empty).exec(textOf(bytes, from, at));
      if (ahead !== null) return `${begun}${behind?.[1] ?? ahead[1] ?? ""}`;
    }
    return undefined;
  };
}

/** Matches anything. */
const empty = /(?:)/;

/** One character a byte. */
function textOf(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(Math.max(0, start), end));
}
