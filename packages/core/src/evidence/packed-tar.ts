import { concatBytes } from "../bytes/concat-bytes.ts";
import { ScanError } from "../errors.ts";
import { GzipMembers } from "../inflate/gunzip.ts";
import { compileInflater, Inflater } from "../inflate/inflater.ts";
import type { Watcher } from "../tar/entry.ts";
import { blockBytes, hasValidChecksum, headerName, headerSize } from "../tar/header.ts";

/** Unpacked bytes that are looked at: distributions of servers are larger, but have packages near their beginning. */
const maxUnpackedBytes = 64 * 1024 ** 2;

/** The decoder keeps a kilobyte back, as more may follow: a file that is not much larger is tried as a whole. */
const smallBytes = 4096;

/**
 * Watches a tar file, plain or in gzip, for a member by its name. It stops at the first one. A damaged file shows nothing.
 * @param isWanted tests the name of a member, and notes it
 */
export function watchPackedTar(isWanted: (member: string) => boolean): Watcher {
  const isFound = nameFinder(isWanted);
  let unpack: Unpack | undefined;
  let unpackedBytes = 0;
  return (part) => {
    try {
      if (unpack === undefined && unpackedBytes === 0 && part.length < smallBytes && isFoundIn(part, isWanted))
        return false;
      if (unpackedBytes === 0 && part[0] !== gzipMagic) unpack ??= plain;
      unpack ??= unpacker();
      for (const unpacked of unpack(part)) {
        unpackedBytes += unpacked.length;
        if (isFound(unpacked) !== undefined || unpackedBytes > maxUnpackedBytes) return false;
      }
    } catch (error) {
      if (error instanceof ScanError) return false;
      throw error;
    }
    return true;
  };
}

const gzipMagic = 0x1f;

type Unpack = (part: Uint8Array, isLast?: "last") => Iterable<Uint8Array>;

const plain: Unpack = (part) => [part];

function isFoundIn(whole: Uint8Array, isWanted: (member: string) => boolean): boolean {
  if (whole[0] !== gzipMagic) return false;
  const isFound = nameFinder(isWanted);
  try {
    for (const unpacked of unpacker()(whole, "last")) if (isFound(unpacked) === true) return true;
  } catch (error) {
    if (!(error instanceof ScanError)) throw error; // it is not the whole file
  }
  return false;
}

function unpacker(): Unpack {
  const inflater = new Inflater(compileInflater());
  const members = new GzipMembers(inflater, undefined);
  inflater.reset();
  return function* unpack(part, isLast) {
    for (let at = 0; at < part.length && !members.isDone; ) {
      at += inflater.add(part, at);
      yield* members.decode();
    }
    if (isLast === undefined) return;
    inflater.endInput();
    yield* members.decode();
  };
}

/** Looks for the name of a member in the bytes of a tar file, part by part: true if it is there, false if these are no tar file, undefined while it is not known. */
function nameFinder(isWanted: (member: string) => boolean): (part: Uint8Array) => boolean | undefined {
  let rest: Uint8Array = new Uint8Array(0);
  let skipBytes = 0;
  return (part) => {
    const bytes = rest.length === 0 ? part : concatBytes([rest, part]);
    let at = Math.min(skipBytes, bytes.length);
    skipBytes -= at;
    while (skipBytes === 0 && at + blockBytes <= bytes.length) {
      const header = bytes.subarray(at, at + blockBytes);
      if (!hasValidChecksum(header)) return false; // also the end
      if (isWanted(headerName(header).replace(/^\.\//, ""))) return true;
      const size = Math.ceil(headerSize(header, 0) / blockBytes) * blockBytes;
      const next = at + blockBytes + size;
      at = Math.min(next, bytes.length);
      skipBytes = next - at;
    }
    rest = bytes.slice(at); // the decoder reuses its memory
    return undefined;
  };
}
