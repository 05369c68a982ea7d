import { concatBytes } from "../bytes/concat-bytes.ts";
import type { BuildMark } from "../plugins/detector.ts";
import { isProgram, magicBytes } from "../programs/is-program.ts";
import type { Watcher } from "../tar/entry.ts";
import { findBuildMark, markBytes } from "./build-marks.ts";
import { type MarkPlaces, markPlaces } from "./mark-places.ts";

/**
 * Watches a file for the build information of Go or Rust. Of what is no ELF, PE or Mach-O file only the beginning is
 * looked at; an executable is searched as it passes, and nothing of it is kept but the end of the last part.
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

interface Passing {
  /** The end of what has passed with the beginning of what comes; the part itself where nothing has passed. */
  readonly joined: Uint8Array;
  readonly part: Uint8Array;
  readonly tail: Uint8Array;
  readonly seenBytes: number;
  readonly places: MarkPlaces;
}

function findMark({ joined, part, tail, seenBytes, places }: Passing): BuildMark | undefined {
  const across =
    joined === part ? undefined : findBuildMark({ bytes: joined, offset: seenBytes - tail.length, places });
  return across ?? findBuildMark({ bytes: part, offset: seenBytes, places });
}

/** A copy: the part is not ours to keep. */
function lastBytes(bytes: Uint8Array): Uint8Array {
  return bytes.slice(Math.max(0, bytes.length - markBytes + 1));
}
