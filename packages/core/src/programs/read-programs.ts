import { bigEndian, bytesAt } from "../bytes/byte-order.ts";
import { type ByteParts, partOf } from "../bytes/byte-parts.ts";
import { malformedPackageDb } from "../bytes/malformed-package-db.ts";
import { readElf } from "./elf.ts";
import { elfMagic } from "./elf-head.ts";
import { machOMagics, readMachO } from "./mach-o.ts";
import { dosMagic, readPe } from "./pe.ts";
import type { Program } from "./program.ts";

/**
 * A Mach-O file for several kinds of processors, big-endian:
 *
 * ```text
 * file   u32 0xcafebabe or 0xcafebabf (64 bits), u32 slices, the slices
 * slice  u32 processor, u32 subtype of it, u32 or u64 each offset, bytes; u32 alignment; 20 or 32 bytes in all
 * ```
 * @see https://github.com/apple-oss-distributions/xnu/blob/main/EXTERNAL_HEADERS/mach-o/fat.h
 */
const fatMagics = { narrow: 0xcafebabe, wide: 0xcafebabf };
/** A file with more slices is not Mach-O: Java classes begin with the same number. */
const maxSlices = 20;

/** The first four bytes of Mach-O files for several kinds of processors. */
export const machOFatMagics: readonly number[] = [fatMagics.narrow, fatMagics.wide];

/**
 * Reads the headers of an executable: one program, or several if a Mach-O file is for several kinds of processors.
 * @throws ScanError `malformed_package_db` for a file that is damaged, or not ELF, PE or Mach-O
 */
export function* readPrograms(bytes: ByteParts): Generator<Program> {
  const magic = bigEndian.u32(bytesAt(bytes, 0, 4), 0);
  if (magic === elfMagic) yield readElf(bytes);
  else if (magic >>> 16 === dosMagic) yield readPe(bytes);
  else if (machOMagics.includes(magic)) yield readMachO(bytes);
  else if (machOFatMagics.includes(magic)) yield* readFat(bytes, { isWide: magic === fatMagics.wide });
  else
    throw malformedPackageDb(`expected an ELF, PE or Mach-O file, found one that begins with 0x${magic.toString(16)}`);
}

function* readFat(bytes: ByteParts, { isWide }: { readonly isWide: boolean }): Generator<Program> {
  const { u32, u64 } = bigEndian;
  const count = u32(bytesAt(bytes, 4, 4), 0);
  if (count > maxSlices) throw malformedPackageDb(`Mach-O: expected at most ${maxSlices} slices, found ${count}`);
  const sliceBytes = isWide ? 32 : 20;
  const table = bytesAt(bytes, 8, count * sliceBytes);
  for (let at = 0; at < table.length; at += sliceBytes) {
    const offset = isWide ? u64(table, at + 8) : u32(table, at + 8);
    const length = isWide ? u64(table, at + 16) : u32(table, at + 12);
    bytesAt(bytes, offset, 0); // throws if the slice begins past the end
    yield readMachO(partOf(bytes, offset, length));
  }
}
