import { concatBytes } from "../bytes/concat-bytes.ts";
import { byteFinder } from "../bytes/find-bytes.ts";
import type { BuildMark, FileEntry } from "../plugins/detector.ts";
import type { Watcher } from "../tar/entry.ts";
import { findBuildMark, markBytes } from "./build-marks.ts";
import { isProgram, magicBytes } from "./is-program.ts";
import { type MarkPlaces, markPlaces } from "./mark-places.ts";

/** Scripts that start an archive are not longer: that of pex has 7 KB, that of Spring Boot 9 KB. */
const maxScriptBytes = 64 * 1024;

/** Linkers write no smaller program of Go or Rust. */
export const minExecutableBytes = 16_384;

/** A zip archive with one short description has more bytes. */
const minZipappBytes = 100;

/** The bits of a mode by which a file may be executed. */
export const anyExecuteBit = 0o111;

/** Whether the content of a file may have a mark. Files that are not executable are read as programs only if they are large: libraries, or modules. */
export function mayHaveMark({ sizeBytes, mode }: Pick<FileEntry, "sizeBytes" | "mode">): boolean {
  return sizeBytes >= minExecutableBytes || (sizeBytes >= minZipappBytes && (mode & anyExecuteBit) !== 0);
}

/** Watches a file for the marks of {@link BuildMark}. Of a file that is not a program, only the beginning is read. */
export function watchProgram(onFound: (mark: BuildMark) => void, sizeBytes: number): Watcher {
  return watchByHead((head) => {
    if (isScript(head)) return watchScript(onFound);
    return isPerhapsAsar(head) ? watchAsar(onFound) : watchExecutable(onFound, sizeBytes);
  });
}

/** Watches a file that may be executed: like {@link watchProgram}, and a zip archive without a script before it. */
export function watchExecutableFile(onFound: (mark: BuildMark) => void, sizeBytes: number): Watcher {
  return watchByHead((head) => {
    if (isZip(head)) return watchZipMembers(onFound);
    return head[0] === 0x3c && head[1] === 0x3f ? watchScript(onFound) : watchProgram(onFound, sizeBytes); // "<?" of PHP
  });
}

/** Watches a file in the way that its first two bytes show. */
function watchByHead(watcherFor: (head: Uint8Array) => Watcher): Watcher {
  let head: Uint8Array = new Uint8Array(0);
  let watcher: Watcher | undefined;
  return (part) => {
    if (watcher !== undefined) return watcher(part);
    head = head.length === 0 ? part : concatBytes([head, part]);
    if (head.length >= 2) watcher = watcherFor(head);
    if (watcher !== undefined) return watcher(head);
    head = head.slice(); // the caller reuses the memory of the part
    return true;
  };
}

function isScript(head: Uint8Array): boolean {
  return head[0] === 0x23 && head[1] === 0x21;
}

function isZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b;
}

function isPerhapsAsar(head: Uint8Array): boolean {
  return head[0] === 4 && head[1] === 0;
}

/** The header of an archive of Electron begins with the size of a number, three sizes, and the name of its only member. */
const asarHeader = /^\x04\0\0\0.{12}\{ ?"files"/s;
const asarHeaderBytes = 26;

/** Watches a file for the header of an archive of Electron, which may have any name: an update, a copy. @see https://github.com/electron/asar#format */
function watchAsar(onFound: (mark: BuildMark) => void): Watcher {
  let head: Uint8Array = new Uint8Array(0);
  return (part) => {
    head = concatBytes([head, part.subarray(0, asarHeaderBytes - head.length)]);
    if (head.length < asarHeaderBytes) return true;
    if (asarHeader.test(String.fromCharCode(...head))) onFound("asar");
    return false;
  };
}

/** Names of programs that start an archive, and its mark. */
const starters: readonly (readonly [RegExp, BuildMark])[] = [
  [/python/i, "zipapp"],
  [/^#!.*escript/, "escript"],
];

/** What ends the program of PHP at the beginning of an archive. */
export const pharMark = byteFinder("__HALT_COMPILER();");

/** The program before the archive is not longer. */
export const maxStubBytes = 1024 ** 2;

/**
 * Watches a script for the zip archive that it starts. Of zipapp, pex and shiv it is one line with the interpreter, of a pex for any Python and of
 * an executable archive of Java a whole program:
 *
 *     "#!" script "PK\3\4" …
 *
 * A script that names Python starts an archive of Python, one of escript an archive of Erlang; of others, the members show it. A script of PHP that stops its compiler has an archive after it.
 *
 * @see https://docs.python.org/3/library/zipapp.html#the-python-zip-application-archive-format
 * @see https://docs.pex-tool.org/ (`--sh-boot`)
 * @see https://www.erlang.org/doc/apps/erts/escript_cmd.html
 */
function watchScript(onFound: (mark: BuildMark) => void): Watcher {
  let script: Uint8Array = new Uint8Array(0);
  let members: Watcher | undefined;
  return (part) => {
    if (members !== undefined) return members(part);
    const searchedFrom = Math.max(0, script.length - 3);
    const pharFrom = Math.max(0, script.length - pharMark.length + 1);
    script = concatBytes([script, part.subarray(0, maxScriptBytes + 3)]);
    if (pharMark.find(script, pharFrom) >= 0) {
      onFound("phar");
      return false;
    }
    const at = findZipMember(script, searchedFrom);
    if (at === undefined || at > maxScriptBytes) return script.length < maxScriptBytes && part.length > 0;
    const text = new TextDecoder("latin1").decode(script.subarray(0, at));
    const starter = starters.find(([pattern]) => pattern.test(text));
    if (starter !== undefined) {
      onFound(starter[1]);
      return false;
    }
    members = watchZipMembers(onFound);
    return members(concatBytes([script.subarray(at), part.subarray(maxScriptBytes + 3)]));
  };
}

/**
 * Watches a file of this size for the build information of Go or Rust, and for the mark of a program that was appended to. An executable is searched while it is streamed; only the end of
 * the last part is kept. Of a file that is not ELF, PE or Mach-O, only the beginning is read.
 */
export function watchExecutable(onFound: (mark: BuildMark) => void, sizeBytes: number): Watcher {
  let seenBytes = 0;
  let tail: Uint8Array = new Uint8Array(0);
  let places: MarkPlaces | undefined;
  return (part) => {
    const joined = tail.length === 0 ? part : concatBytes([tail, part.subarray(0, markBytes - 1)]);
    if (places === undefined && joined.length >= magicBytes) {
      if (!isProgram(joined)) return false;
      places = markPlaces(joined, sizeBytes);
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
function watchZipMembers(onFound: (mark: BuildMark) => void): Watcher {
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
function findZipMember(bytes: Uint8Array, from = 0): number | undefined {
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
