import { bigEndian, littleEndian } from "../bytes/byte-order.ts";

const elfMagic = 0x7f454c46;
const loadSegment = 1;
const executable = 1;
const maxSegments = 256;

/** Bytes of a file, by their offsets. */
export interface FileRange {
  readonly from: number;
  readonly to: number;
}

/** Where the marks of {@link findBuildMark} may stand in an executable. */
export interface MarkPlaces {
  /** Build information of Go: data that are loaded. In file order. */
  readonly go: readonly FileRange[];
  /** Names of sections, which are not loaded: from this byte on. */
  readonly rustFrom: number;
}

const anywhere: MarkPlaces = { go: [{ from: 0, to: Number.POSITIVE_INFINITY }], rustFrom: 0 };

/**
 * Where marks may stand, as far as the beginning of an ELF file says; anywhere in other files.
 *
 * ```text
 * ELF      u32 0x7f "ELF", u8 class (1: 32 bits, 2: 64), u8 byte order (1: little-endian); at 28 u32 or at 32 u64 offset
 *          of the segments; at 42 or 54 u16 size of a segment's header, u16 segments
 * segment  u32 type (1: loaded); at 4 u32 or at 8 u64 offset; at 16 u32 or at 32 u64 bytes in the file;
 *          at 24 or at 4 u32 flags (1: executable)
 * ```
 * @see https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html
 */
export function markPlaces(head: Uint8Array): MarkPlaces {
  if (head.length < 64 || bigEndian.u32(head, 0) !== elfMagic) return anywhere;
  const { u16, u32 } = head[5] === 2 ? bigEndian : littleEndian;
  const u64 = (at: number) =>
    head[5] === 2 ? u32(head, at) * 2 ** 32 + u32(head, at + 4) : u32(head, at) + u32(head, at + 4) * 2 ** 32;
  const isWide = head[4] === 2;
  const first = isWide ? u64(32) : u32(head, 28);
  const size = u16(head, isWide ? 54 : 42);
  const count = u16(head, isWide ? 56 : 44);
  if (size < (isWide ? 56 : 32) || count > maxSegments || first + size * count > head.length) return anywhere;
  const go: FileRange[] = [];
  let rustFrom = 0;
  for (let at = first; at < first + size * count; at += size) {
    if (u32(head, at) !== loadSegment) continue;
    const from = isWide ? u64(at + 8) : u32(head, at + 4);
    const to = from + (isWide ? u64(at + 32) : u32(head, at + 16));
    rustFrom = Math.max(rustFrom, to);
    if ((u32(head, at + (isWide ? 4 : 24)) & executable) === 0) go.push({ from, to });
  }
  return { go: go.sort((a, b) => a.from - b.from), rustFrom };
}
