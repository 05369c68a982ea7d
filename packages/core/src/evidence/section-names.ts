import { bigEndian, littleEndian } from "../bytes/byte-order.ts";

const elfMagic = 0x7f454c46;
const loadSegment = 1;
const maxSegments = 256;

/**
 * From which byte on the names of an executable's sections may stand. In ELF files they are not loaded and so stand
 * behind all that is; 0 for other files, and where the beginning of the file does not say.
 *
 * ```text
 * ELF      u32 0x7f "ELF", u8 class (1: 32 bits, 2: 64), u8 byte order (1: little-endian); at 28 u32 or at 32 u64 offset
 *          of the segments; at 42 or 54 u16 size of a segment's header, u16 segments
 * segment  u32 type (1: loaded); at 4 u32 or at 8 u64 offset; at 16 u32 or at 32 u64 bytes in the file
 * ```
 * @see https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.eheader.html
 */
export function sectionNamesFrom(head: Uint8Array): number {
  if (head.length < 64 || bigEndian.u32(head, 0) !== elfMagic) return 0;
  const { u16, u32 } = head[5] === 2 ? bigEndian : littleEndian;
  const u64 = (at: number) =>
    head[5] === 2 ? u32(head, at) * 2 ** 32 + u32(head, at + 4) : u32(head, at) + u32(head, at + 4) * 2 ** 32;
  const isWide = head[4] === 2;
  const first = isWide ? u64(32) : u32(head, 28);
  const size = u16(head, isWide ? 54 : 42);
  const count = u16(head, isWide ? 56 : 44);
  if (size < (isWide ? 56 : 32) || count > maxSegments || first + size * count > head.length) return 0;
  let end = 0;
  for (let at = first; at < first + size * count; at += size) {
    if (u32(head, at) !== loadSegment) continue;
    end = Math.max(end, isWide ? u64(at + 8) + u64(at + 32) : u32(head, at + 4) + u32(head, at + 16));
  }
  return end;
}
