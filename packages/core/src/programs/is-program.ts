import { bigEndian } from "../bytes/byte-order.ts";
import { elfMagic } from "./elf-head.ts";
import { machOMagics } from "./mach-o.ts";
import { dosMagic } from "./pe.ts";
import { machOFatMagics } from "./read-programs.ts";

/** The first four bytes of ELF, and of Mach-O for one kind of processor or several. */
const magics: ReadonlySet<number> = new Set([elfMagic, ...machOMagics, ...machOFatMagics]);

/** The number of bytes that {@link isProgram} needs. */
export const magicBytes = 4;

/** Whether a file with this beginning may be an executable or a library: ELF, PE or Mach-O. False for fewer than {@link magicBytes} bytes. */
export function isProgram(head: Uint8Array): boolean {
  return head.length >= magicBytes && (magics.has(bigEndian.u32(head, 0)) || bigEndian.u16(head, 0) === dosMagic);
}
