import { type ByteFinder, byteFinder, isAt } from "../bytes/find-bytes.ts";
import type { BuildMark } from "../plugins/detector.ts";
import type { MarkPlaces } from "./mark-places.ts";

/**
 * The beginning of Go's build information, whose offset is a multiple of 16.
 * @see https://github.com/golang/go/blob/go1.23.0/src/debug/buildinfo/buildinfo.go
 */
export const goMark = bytesOf("\xff Go buildinf:");
/** The alignment of {@link goMark} and of the table of functions, in bytes. */
export const goAlignment = 16;

/** The byte that differs in the magic numbers of the tables of functions: of Go 1.20, 1.18, 1.16 and 1.2. The others are 0xff. */
const goTableBytes: ReadonlySet<number> = new Set([0xf1, 0xf0, 0xfa, 0xfb]);

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

/**
 * What the compiler of Rust writes into the section `.comment`, which is not loaded.
 * @see https://github.com/rust-lang/rust/blob/1.75.0/compiler/rustc_codegen_llvm/src/back/lto.rs
 */
export const rustcMark = byteFinder("rustc version ");

/**
 * The signature of a host of .NET, before which it has the offset of the header of its files: 0 if it has none.
 * @see https://github.com/dotnet/runtime/blob/v8.0.0/src/native/corehost/apphost/bundle_marker.cpp
 */
export const bundleMark = byteFinder(
  "\x8b\x12\x02\xb9\x6a\x61\x20\x38\x72\x7b\x93\x02\x14\xd7\xa0\x32\x13\xf5\xb9\xe6\xef\xae\x33\x18\xee\x3b\x2d\xce\x24\xb3\x6a\xae",
);

/** The symbol of a program that GraalVM has compiled from Java. @see https://github.com/oracle/graal */
const nativeImageMark = byteFinder("\0__svm_version_info\0");

/**
 * What is near the end of a program that its packages were appended to.
 * @see https://pyinstaller.org/en/stable/advanced-topics.html#the-pyinstaller-bootloader-and-the-carchive
 * @see https://bun.sh/docs/bundler/executables
 * @see https://docs.deno.com/runtime/reference/cli/compile/
 */
const endMarks: readonly (readonly [ByteFinder, BuildMark])[] = [
  [byteFinder("MEI\x0c\x0b\x0a\x0b\x0e"), "pyinstaller"],
  [byteFinder("\n---- Bun! ----\n"), "javascript"],
  [byteFinder("d3n0l4nd"), "javascript"],
];

/**
 * What Node.js has in its data if a program was put into it. Without one, the last figure is 0.
 * @see https://nodejs.org/api/single-executable-applications.html
 */
const nodeMark = byteFinder("NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1");

/** Node.js alone has twice as many bytes. In smaller programs its mark is not looked for, so that the search costs little. */
const minNodeBytes = 32 * 1024 ** 2;

/** The length of the longest mark. */
export const markBytes = nodeMark.length;

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
  if (part.offset < part.places.symbolsTo && hasNativeImageMark(part)) return "native-image";
  if (hasRustMark(part) || hasRustcMark(part)) return "rust";
  return findDataMark(part) ?? findEndMark(part);
}

function findEndMark({ bytes, offset, places }: FilePart): BuildMark | undefined {
  const from = Math.max(0, places.endFrom - offset);
  if (from >= bytes.length) return undefined; // nearly all parts
  return endMarks.find(([finder]) => finder.find(bytes, from) >= 0)?.[1];
}

/** The hosts of .NET and Node.js are written to when files are added to them, so that their marks are in their data. */
function findDataMark({ bytes, offset, places }: FilePart): BuildMark | undefined {
  for (const range of places.data) {
    const from = Math.max(0, range.from - offset);
    const end = Math.min(bytes.length, range.to - offset);
    if (end - from < bundleMark.length) continue;
    const data = bytes.subarray(from, end);
    if (bundleMark.find(data) >= 0) return "dotnet";
    if (places.endFrom >= minNodeBytes && nodeMark.find(data) >= 0) return "javascript";
  }
  return undefined;
}

function hasNativeImageMark({ bytes, offset, places }: FilePart): boolean {
  return nativeImageMark.find(bytes.subarray(0, places.symbolsTo - offset)) >= 0;
}

function hasRustcMark({ bytes, offset, places }: FilePart): boolean {
  return rustcMark.find(bytes, Math.max(0, places.rustFrom - offset)) >= 0;
}

function hasGoMark({ bytes, offset, places }: FilePart): boolean {
  for (const range of places.data) {
    const from = Math.ceil(Math.max(offset, range.from) / goAlignment) * goAlignment - offset;
    if (hasGoMarkBetween(bytes, from, Math.min(bytes.length, range.to - offset))) return true;
  }
  return false;
}

/** A function of its own: V8 compiles a loop within a loop again each time that it is left. */
function hasGoMarkBetween(bytes: Uint8Array, from: number, end: number): boolean {
  for (let at = from; at < end; at += goAlignment) {
    const first = bytes[at] ?? 0;
    if (first < 0xf0) continue; // nearly everywhere
    if (isAt(bytes, at, goMark) || isFunctionTable(bytes, at)) return true;
  }
  return false;
}

/**
 * Whether the table of functions begins here, which every program of Go has, also if its linker was told to leave out the build information:
 *
 * ```text
 * table = u32 magic, u8 0, u8 0, u8 1 or 2 or 4, u8 4 or 8, …
 * ```
 * @see https://github.com/golang/go/blob/go1.26.0/src/debug/gosym/pclntab.go
 */
function isFunctionTable(bytes: Uint8Array, at: number): boolean {
  const [a = 0, b, c, d = 0, e, f, shortest = 0, word = 0] = bytes.subarray(at, at + 8);
  const isMagic =
    b === 0xff && c === 0xff && ((d === 0xff && goTableBytes.has(a)) || (a === 0xff && goTableBytes.has(d)));
  return isMagic && e === 0 && f === 0 && [1, 2, 4].includes(shortest) && (word === 4 || word === 8);
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
