import { concatBytes } from "../../bytes/concat-bytes.ts";
import { ScanError } from "../../errors.ts";
import { GzipMembers } from "../../inflate/gunzip.ts";
import { compileInflater, Inflater } from "../../inflate/inflater.ts";
import type { EvidenceRule } from "../../plugins/evidence.ts";
import type { Watcher } from "../../tar/entry.ts";
import { blockBytes, hasValidChecksum, headerName, headerSize } from "../../tar/header.ts";
import { lockFilesNamed } from "../language/lock-file-evidence.ts";

/** Unpacked bytes that are looked at: distributions of servers are larger, but have archives near their beginning. */
const maxUnpackedBytes = 64 * 1024 ** 2;
const javaArchive = /\.(?:ear|jar|war)$/i;

/** Watches a `.tar.gz` file for an archive of Java in it, by the names of its members. A damaged file shows nothing. */
function watchPackedTar(onFound: () => void): Watcher {
  const isFound = nameFinder(javaArchive);
  let unpack: Unpack | undefined;
  let unpackedBytes = 0;
  return (part) => {
    if (unpack === undefined && part[0] !== 0x1f) return false;
    try {
      if (unpack === undefined && part.length < smallBytes && isFoundIn(part)) {
        onFound();
        return false;
      }
      unpack ??= unpacker();
      for (const unpacked of unpack(part)) {
        unpackedBytes += unpacked.length;
        const found = isFound(unpacked);
        if (found === true) onFound();
        if (found !== undefined || unpackedBytes > maxUnpackedBytes) return false;
      }
    } catch (error) {
      if (error instanceof ScanError) return false;
      throw error;
    }
    return true;
  };
}

type Unpack = (part: Uint8Array, isLast?: "last") => Iterable<Uint8Array>;

/** The decoder keeps a kilobyte back, as more may follow: a file that is not much larger is tried as a whole. */
const smallBytes = 4096;

function isFoundIn(whole: Uint8Array): boolean {
  const isFound = nameFinder(javaArchive);
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
function nameFinder(wanted: RegExp): (part: Uint8Array) => boolean | undefined {
  let rest: Uint8Array = new Uint8Array(0);
  let skipBytes = 0;
  return (part) => {
    const bytes = concatBytes([rest, part]);
    let at = Math.min(skipBytes, bytes.length);
    skipBytes -= at;
    while (skipBytes === 0 && at + blockBytes <= bytes.length) {
      const header = bytes.subarray(at, at + blockBytes);
      if (!hasValidChecksum(header)) return false; // also the end
      if (wanted.test(headerName(header))) return true;
      const size = Math.ceil(headerSize(header, 0) / blockBytes) * blockBytes;
      const next = at + blockBytes + size;
      at = Math.min(next, bytes.length);
      skipBytes = next - at;
    }
    rest = bytes.slice(at); // the decoder reuses its memory
    return undefined;
  };
}

/** What shows that there are packages of Java. */
export const javaEvidence: readonly EvidenceRule[] = [
  { kind: "java", mark: "jar" },
  { kind: "java", mark: "native-image" },
  {
    kind: "java",
    extensions: ["aar", "ear", "esa", "hpi", "jar", "jpi", "kar", "lpkg", "nar", "par", "sar", "wab", "war"],
  },
  // modules of the Java runtime itself are parts of it
  { kind: "java", extensions: ["jmod"], unless: /(?:^|\/)(?:java|jdk)\.[^/]+\.jmod$/ },
  { kind: "java", extensions: ["gz"], where: /\.(?:ear|jar|war)\.pack\.gz$/i },
  {
    kind: "java",
    extensions: ["gz", "tgz"],
    where: /\.(?:tar\.gz|tgz)$/i,
    unless: /(?:^|\/)(?:fixtures?|t|test-?data|tests?|testing)\//i,
    watch: watchPackedTar,
  },
  lockFilesNamed("java", "buildscript-gradle.lockfile", "gradle.lockfile", "settings-gradle.lockfile"),
];
