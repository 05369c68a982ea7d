import { bytesAt, littleEndian } from "../bytes/byte-order.ts";
import type { ByteParts } from "../bytes/byte-parts.ts";
import { malformedPackageDb } from "../bytes/malformed-package-db.ts";
import { nameIn, type Program } from "./program.ts";

/**
 * The headers of a PE file, all little-endian.
 *
 * ```text
 * file     "MZ"; at 60 u32 offset of: "PE" 0 0, file header, optional header, sections
 * header   at 2 u16 sections; at 16 u16 bytes of the optional header
 * optional u16 0x10b or 0x20b (64 bits); at 28 u32 or 24 u64 base address, to which the other addresses are relative
 *          then at 92 or 108 (64 bits) u32 directories, each: u32 address, u32 bytes
 * section  8 bytes name, padded with zeros; u32 bytes in memory, u32 address, u32 bytes in the file, u32 offset;
 *          at 36 u32 flags (0x20000000: executable, 0x80000000: writable)
 * ```
 * Sections are also the segments. Names of more than 8 bytes are stored elsewhere; no detector needs them.
 * @see https://learn.microsoft.com/en-us/windows/win32/debug/pe-format
 */
const signature = 0x4550;
const fileHeaderBytes = 20;
const sectionBytes = 40;
const isWideMagic = 0x20b;
const [executable, writable] = [0x2000_0000, 0x8000_0000];
/** The smallest optional header that includes the base address. */
const minOptionalBytes = 32;

/** The first two bytes, as a big-endian number. */
export const dosMagic = 0x4d5a;
const dosBytes = 0x5a4d; // the same as a little-endian number

/** Whether a file is PE. Programs of DOS begin with the same two bytes but have no PE header. */
export function isPe(bytes: ByteParts): boolean {
  const { u16, u32 } = littleEndian;
  const head = bytes.subarray(0, 64);
  if (head.length < 64 || u16(head, 0) !== dosBytes) return false;
  const start = u32(head, 60);
  return start + 4 <= bytes.length && u32(bytes.subarray(start, start + 4), 0) === signature;
}

/** The headers of a PE file, with its directories. */
export interface PeImage {
  readonly program: Program;
  /** The base address, to which the addresses of directories are relative. */
  readonly base: number;
  /** The data directories. The index in the list gives the meaning; a directory with address 0 is absent. */
  readonly directories: readonly { readonly address: number; readonly sizeBytes: number }[];
}

/** Reads the headers of a PE file. @throws ScanError `malformed_package_db` */
export function readPe(bytes: ByteParts): Program {
  return readPeImage(bytes).program;
}

/** Reads the headers of a PE file with its directories. @throws ScanError `malformed_package_db` */
export function readPeImage(bytes: ByteParts): PeImage {
  const { u16, u32, u64 } = littleEndian;
  const start = u32(bytesAt(bytes, 0, 64), 60);
  const head = bytesAt(bytes, start, 4 + fileHeaderBytes);
  if (u32(head, 0) !== signature)
    throw malformedPackageDb(`PE: expected "PE" at offset ${start}, found something else`);
  const count = u16(head, 6);
  const optionalBytes = u16(head, 20);
  if (optionalBytes < minOptionalBytes) {
    throw malformedPackageDb(`PE: expected an optional header of ${minOptionalBytes} bytes, found ${optionalBytes}`);
  }
  const optional = bytesAt(bytes, start + head.length, optionalBytes);
  const isWide = u16(optional, 0) === isWideMagic;
  const base = isWide ? u64(optional, 24) : u32(optional, 28);
  const table = bytesAt(bytes, start + head.length + optionalBytes, count * sectionBytes);
  const parts = Array.from({ length: count }, (_, index) => {
    const header = table.subarray(index * sectionBytes, (index + 1) * sectionBytes);
    const flags = u32(header, 36);
    return {
      name: nameIn(header.subarray(0, 8), 0),
      address: base + u32(header, 12),
      sizeBytes: Math.min(u32(header, 16), u32(header, 8) || u32(header, 16)), // the file pads to whole blocks
      offset: u32(header, 20),
      isWritable: (flags & writable) !== 0,
      isExecutable: (flags & executable) !== 0,
    };
  });
  const program = { bytes, order: littleEndian, sections: parts, segments: parts };
  return { program, base, directories: directoriesIn(optional, isWide ? 108 : 92) };
}

/** The directories of the optional header: as many as it claims, but no more than fit into it. */
function directoriesIn(optional: Uint8Array, countAt: number): PeImage["directories"] {
  const { u32 } = littleEndian;
  const room = Math.max(0, Math.floor((optional.length - countAt - 4) / 8));
  const count = room === 0 ? 0 : Math.min(room, u32(optional, countAt));
  return Array.from({ length: count }, (_, index) => {
    const at = countAt + 4 + index * 8;
    return { address: u32(optional, at), sizeBytes: u32(optional, at + 4) };
  });
}
