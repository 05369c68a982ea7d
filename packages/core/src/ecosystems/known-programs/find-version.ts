import type { ByteParts } from "../../bytes/byte-parts.ts";
import { byteFinder } from "../../bytes/find-bytes.ts";
import type { VersionMark } from "./known-program.ts";

/** Bytes that are searched at once. */
const windowBytes = 1024 ** 2;
/** Bytes that are read before and after a mark. No mark is longer. */
const contextBytes = 96;
/** Bytes of the previous window that are searched again, so that each mark is in some window with all of its context. */
const overlapBytes = 3 * contextBytes;
/** A text that occurs more often is ignored. Limits the work for a hostile file. */
const maxHits = 100_000;

/**
 * The version in a file, by the first mark of the first window that has one; undefined if there is none. At most one window is in memory,
 * and the time is proportional to the size of the file.
 * @param nameVersion the version in the file's name, which replaces `{name}` in marks
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

/** A search for a mark, to be called with one window after the other. */
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

/** Matches every text. */
const empty = /(?:)/;

/** The bytes as text, one character per byte. */
function textOf(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(Math.max(0, start), end));
}
