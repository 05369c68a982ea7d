import { concatBytes } from "../bytes/concat-bytes.ts";
import type { BuildMark } from "../plugins/detector.ts";
import type { Watcher } from "../tar/entry.ts";
import { findBuildMark, markBytes } from "./build-marks.ts";
import { isProgram, magicBytes } from "./is-program.ts";
import { type MarkPlaces, markPlaces } from "./mark-places.ts";

/**
 * Watches a file for the build information of Go or Rust. An executable is searched while it is streamed; only the end of
 * the last part is kept. Of a file that is not ELF, PE or Mach-O, only the beginning is read.
 */
export function watchExecutable(onFound: (mark: BuildMark) => void): Watcher {
  let seenBytes = 0;
  let tail: Uint8Array = new Uint8Array(0);
  let places: MarkPlaces | undefined;
  return (part) => {
    const joined = tail.length === 0 ? part : concatBytes([tail, part.subarray(0, markBytes - 1)]);
    if (places === undefined && joined.length >= magicBytes) {
      if (!isProgram(joined)) return false;
      places = markPlaces(joined);
    }
    const found = places === undefined ? undefined : findMark({ joined, part, tail, seenBytes, places });
    if (found !== undefined) onFound(found);
    seenBytes += part.length;
    tail = lastBytes(part.length < markBytes ? joined : part);
    return found === undefined;
  };
}

interface SearchedPart {
  /** The end of the previous bytes joined with the beginning of the part; for the first part, the part itself. */
  readonly joined: Uint8Array;
  readonly part: Uint8Array;
  readonly tail: Uint8Array;
  readonly seenBytes: number;
  readonly places: MarkPlaces;
}

function findMark({ joined, part, tail, seenBytes, places }: SearchedPart): BuildMark | undefined {
  const across =
    joined === part ? undefined : findBuildMark({ bytes: joined, offset: seenBytes - tail.length, places });
  return across ?? findBuildMark({ bytes: part, offset: seenBytes, places });
}

/** A copy, because the caller reuses the memory of the part. */
function lastBytes(bytes: Uint8Array): Uint8Array {
  return bytes.slice(Math.max(0, bytes.length - markBytes + 1));
}
