import { type ByteOrder, bigEndian, bytesAt, littleEndian } from "../bytes/byte-order.ts";
import type { ByteParts } from "../bytes/byte-parts.ts";
import { malformedPackageDb } from "../bytes/malformed-package-db.ts";
import { nameIn, type Program, type Section, type Segment } from "./program.ts";

/**
 * The headers of a Mach-O file for one kind of processor.
 *
 * ```text
 * file     u32 0xfeedface or 0xfeedfacf (64 bits) in its own byte order; at 16 u32 commands, u32 bytes of all commands;
 *          at 28 or 32 the commands
 * command  u32 kind (1: segment, 0x19: segment of 64 bits), u32 bytes
 * segment  at 8 16 bytes name; u32 or u64 each address, bytes in memory, offset, bytes in the file; u32 maximum protection,
 *          u32 protection (2: writable, 4: executable), u32 sections, u32; the sections
 * section  16 bytes name, 16 bytes name of the segment, u32 or u64 each address, bytes; u32 offset; 68 or 80 bytes in all
 * ```
 * @see https://github.com/apple-oss-distributions/xnu/blob/main/EXTERNAL_HEADERS/mach-o/loader.h
 */
const magics = { narrow: 0xfeedface, wide: 0xfeedfacf };
const segmentCommands = { narrow: 1, wide: 0x19 };
const [writable, executable] = [2, 4];
/** Far more bytes of commands than any linker writes. */
const maxCommandBytes = 4 * 1024 ** 2;
const nameBytes = 16;

/** The first four bytes in both byte orders, as big-endian numbers. */
export const machOMagics: readonly number[] = [magics.narrow, magics.wide, 0xcefaedfe, 0xcffaedfe];

/** The byte order and word size of a file. */
interface Form {
  readonly order: ByteOrder;
  readonly isWide: boolean;
}

/** Reads the headers of a Mach-O file. @throws ScanError `malformed_package_db` */
export function readMachO(bytes: ByteParts): Program {
  const head = bytesAt(bytes, 0, 32);
  const order = bigEndian.u32(head, 0) >= magics.narrow ? bigEndian : littleEndian;
  const form: Form = { order, isWide: order.u32(head, 0) === magics.wide };
  const commandBytes = order.u32(head, 20);
  if (commandBytes > maxCommandBytes) {
    throw malformedPackageDb(`Mach-O: expected at most ${maxCommandBytes} bytes of commands, found ${commandBytes}`);
  }
  const commands = bytesAt(bytes, form.isWide ? 32 : 28, commandBytes);
  const segments: Segment[] = [];
  const sections: Section[] = [];
  for (let at = 0, left = order.u32(head, 16); left > 0; left--) {
    const size = order.u32(commands, at + 4);
    const command = bytesAt(commands, at, size);
    if (size < 8) throw malformedPackageDb(`Mach-O: expected a command of at least 8 bytes, found ${size}`);
    if (order.u32(command, 0) === (form.isWide ? segmentCommands.wide : segmentCommands.narrow)) {
      segments.push(segmentOf(command, form));
      for (const section of sectionsOf(command, form)) sections.push(section);
    }
    at += size;
  }
  return { bytes, order, sections, segments };
}

function segmentOf(command: Uint8Array, { order, isWide }: Form): Segment {
  const [step, word] = isWide ? [8, order.u64] : [4, order.u32];
  const at = 8 + nameBytes;
  const protection = order.u32(command, at + 4 * step + 4);
  return {
    address: word(command, at),
    offset: word(command, at + 2 * step),
    sizeBytes: word(command, at + 3 * step),
    isWritable: (protection & writable) !== 0,
    isExecutable: (protection & executable) !== 0,
  };
}

function sectionsOf(command: Uint8Array, { order, isWide }: Form): readonly Section[] {
  const [step, word] = isWide ? [8, order.u64] : [4, order.u32];
  const countAt = 8 + nameBytes + 4 * step + 8;
  const sectionBytes = isWide ? 80 : 68;
  const count = order.u32(command, countAt);
  const table = bytesAt(command, countAt + 8, count * sectionBytes);
  return Array.from({ length: count }, (_, index) => {
    const section = table.subarray(index * sectionBytes, (index + 1) * sectionBytes);
    const at = 2 * nameBytes;
    return {
      name: nameIn(section.subarray(0, nameBytes), 0),
      address: word(section, at),
      sizeBytes: word(section, at + step),
      offset: order.u32(section, at + 2 * step),
    };
  });
}
