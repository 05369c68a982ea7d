import type { ByteOrder } from "../bytes/byte-order.ts";
import type { ByteParts } from "../bytes/byte-parts.ts";

/** A part of a program, in the file and in memory. */
export interface ProgramPart {
  /** The offset of its first byte in the file. */
  readonly offset: number;
  /** Its size in the file, as the headers claim it. It may exceed the end of the file. */
  readonly sizeBytes: number;
  /** The address of its first byte in memory. */
  readonly address: number;
}

/** A part with a name. */
export interface Section extends ProgramPart {
  readonly name: string;
}

/** A part that is loaded into memory. */
export interface Segment extends ProgramPart {
  readonly isWritable: boolean;
  readonly isExecutable: boolean;
}

/** A program and the contents of its headers. */
export interface Program {
  /** The bytes of the program, to which offsets are relative. */
  readonly bytes: ByteParts;
  readonly order: ByteOrder;
  readonly sections: readonly Section[];
  readonly segments: readonly Segment[];
}

const latin1 = new TextDecoder("latin1");

/** Longer names are cut: no detector looks for a section with such a name. */
const maxNameBytes = 256;

/** The text from `start` to the next zero byte or the end of the bytes, cut after 256 bytes. */
export function nameIn(bytes: Uint8Array, start: number): string {
  const room = bytes.subarray(start, start + maxNameBytes);
  const end = room.indexOf(0);
  return latin1.decode(end < 0 ? room : room.subarray(0, end));
}
