import { concatBytes } from "../bytes/concat-bytes.ts";
import type { BuildMark } from "../plugins/detector.ts";
import type { Watcher } from "../tar/entry.ts";

/** The bytes of a local file header before the name. */
const headerBytes = 30;
const nameLengthAt = 26;
/** Longer names are not looked at: those that show the kind of a program are short. */
const maxNameBytes = 256;

/** A member by which a zip archive is a program of one kind. Java and Python start no archive without it. */
const members: readonly (readonly [RegExp, BuildMark])[] = [
  [/^__main__\.pyc?$/, "zipapp"],
  [/^(?:META-INF\/(?:MANIFEST\.MF$|maven\/)|BOOT-INF\/|WEB-INF\/)/i, "jar"],
];

/**
 * Watches a zip archive for a member by which Python or Java starts it. The names are read where the members begin, so the archive may be
 * preceded by anything.
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT section 4.3.7
 * @see https://docs.python.org/3/library/zipapp.html#the-python-zip-application-archive-format
 * @see https://docs.oracle.com/en/java/javase/21/docs/specs/jar/jar.html
 */
export function watchZipMembers(onFound: (mark: BuildMark) => void): Watcher {
  let tail: Uint8Array = new Uint8Array(0);
  return (part) => {
    const bytes = tail.length === 0 ? part : concatBytes([tail, part]);
    const found = findMember(bytes);
    if (found !== undefined) onFound(found);
    tail = bytes.slice(Math.max(0, bytes.length - headerBytes - maxNameBytes)); // the caller reuses the memory of the part
    return found === undefined;
  };
}

/** The place of the first header of a member. */
export function findZipMember(bytes: Uint8Array, from = 0): number | undefined {
  for (let at = bytes.indexOf(0x50, from); at >= 0; at = bytes.indexOf(0x50, at + 1)) {
    if (bytes[at + 1] === 0x4b && bytes[at + 2] === 3 && bytes[at + 3] === 4) return at;
  }
  return undefined;
}

function findMember(bytes: Uint8Array): BuildMark | undefined {
  for (let at = findZipMember(bytes); at !== undefined; at = findZipMember(bytes, at + 1)) {
    const name = nameAt(bytes, at);
    const found = members.find(([pattern]) => pattern.test(name));
    if (found !== undefined) return found[1];
  }
  return undefined;
}

/** The name in a header, empty if it is not there as a whole. */
function nameAt(bytes: Uint8Array, at: number): string {
  const [low = 0, high = 0] = bytes.subarray(at + nameLengthAt, at + headerBytes);
  const length = low + high * 256;
  const start = at + headerBytes;
  if (length > maxNameBytes || start + length > bytes.length) return "";
  return new TextDecoder("latin1").decode(bytes.subarray(start, start + length));
}
