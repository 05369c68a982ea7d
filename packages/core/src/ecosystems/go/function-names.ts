import { type ByteOrder, bigEndian, littleEndian } from "../../bytes/byte-order.ts";
import type { ByteParts } from "../../bytes/byte-parts.ts";
import type { Program, ProgramPart } from "../../programs/program.ts";

/**
 * The names of functions that Go's runtime keeps for stack traces, even in stripped programs. Inlined functions are among them:
 *
 * ```text
 * table  = u32 magic, u8 0, u8 0, u8 bytes of the shortest instruction, u8 bytes of a word, words, names, …
 * words  = functions, files, [text (since Go 1.18)], offset of the names, offset of the end of the names, …
 * names  = each as text and 0
 * ```
 * @see https://github.com/golang/go/blob/go1.26.0/src/debug/gosym/pclntab.go
 */
const wordsAt = 8;
/** The index of the word with the offset of the names, by magic number: of Go 1.20, 1.18 and 1.16. Older tables mix names with other data. */
const namesWords: ReadonlyMap<number, number> = new Map([
  [0xfffffff1, 3],
  [0xfffffff0, 3],
  [0xfffffffa, 2],
]);
/** The section of the table: of ELF, of position-independent ELF, of Mach-O. PE has none. */
const sectionNames: ReadonlySet<string> = new Set([".gopclntab", ".data.rel.ro.gopclntab", "__gopclntab"]);
/** The alignment of the table in a file without its section. */
const alignment = 4;
/** Bytes that are read at once. */
const windowBytes = 1024 ** 2;
/** Far more bytes of names than any program has. */
const maxNamesBytes = 128 * 1024 ** 2;

/** The range of the names in a program; undefined if it has no table of a known version. */
export function findFunctionNames(program: Program): { readonly start: number; readonly end: number } | undefined {
  const named = program.sections.filter(({ name }) => sectionNames.has(name));
  for (const { offset } of named) return namesAt(program.bytes, offset);
  for (const part of searchedParts(program)) {
    const found = searchPart(program.bytes, part);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Read-only data first, because linkers put the table there. */
function searchedParts({ segments }: Program): readonly ProgramPart[] {
  const data = segments.filter(({ isExecutable }) => !isExecutable);
  return [...data.filter(({ isWritable }) => !isWritable), ...data.filter(({ isWritable }) => isWritable)];
}

function searchPart(bytes: ByteParts, { offset, sizeBytes }: ProgramPart) {
  const end = Math.min(offset + sizeBytes, bytes.length);
  for (let start = offset; start < end; start += windowBytes) {
    const window = bytes.subarray(start, Math.min(start + windowBytes, end));
    for (let at = 0; at + wordsAt <= window.length; at += alignment) {
      if (!isPerhapsTable(window, at)) continue;
      const found = namesAt(bytes, start + at);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function isPerhapsTable(window: Uint8Array, at: number): boolean {
  return window[at + 1] === 0xff && window[at + 2] === 0xff && window[at + 4] === 0 && window[at + 5] === 0;
}

function namesAt(bytes: ByteParts, offset: number): { readonly start: number; readonly end: number } | undefined {
  const head = bytes.subarray(offset, offset + wordsAt + 8 * 5);
  const [wordBytes = 0] = head.subarray(7);
  if (head.length < wordsAt + 8 * 5 || (wordBytes !== 4 && wordBytes !== 8)) return undefined;
  for (const order of [littleEndian, bigEndian]) {
    const word = namesWords.get(order.u32(head, 0));
    if (word === undefined) continue;
    const [from, to] = [word, word + 1].map((index) =>
      readWord(head, order, { at: wordsAt + index * wordBytes, wordBytes }),
    );
    if (from === undefined || to === undefined || to <= from || to - from > maxNamesBytes) return undefined;
    return offset + to <= bytes.length ? { start: offset + from, end: offset + to } : undefined;
  }
  return undefined;
}

function readWord(
  head: Uint8Array,
  order: ByteOrder,
  { at, wordBytes }: { readonly at: number; readonly wordBytes: number },
): number {
  return wordBytes === 8 ? order.u64(head, at) : order.u32(head, at);
}

/** The names in a range. A name that is longer than a window is left out. Each is a view that is valid only until the next. */
export function* eachName(bytes: ByteParts, { start, end }: { start: number; end: number }): Generator<Uint8Array> {
  for (let at = start; at < end; ) {
    const window = bytes.subarray(at, Math.min(at + windowBytes, end));
    let from = 0;
    for (let stop = window.indexOf(0); stop >= 0; stop = window.indexOf(0, from)) {
      if (stop > from) yield window.subarray(from, stop);
      from = stop + 1;
    }
    at += from === 0 ? window.length : from;
    if (window.length === 0) return;
  }
}
